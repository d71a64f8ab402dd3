import assert from 'node:assert/strict'
import test from 'node:test'
import { statement } from '../../kernel/db/index.ts'
import { ask, openTalk, talk, until } from './fixtures/talk.ts'

openTalk({
  settings: {
    'AI:Memory:RecentExchanges': '2',
    'AI:Memory:SummarizeAfterExchanges': '4',
    'AI:Memory:RetentionDays': '30',
    'AI:Multimodal:MaxImageBytes': '2000',
    'AI:Multimodal:AllowedUrlHosts': 'localhost,127.0.0.1,pictures.example.com',
  },
})

const summaryOf = statement<{ summary: string | null; to: number }, { tenantId: number; sessionId: string }>(
  'test.summary_of',
  'select summary, summarised_to as to from sessions where tenant_id = $tenantId::int and session_id = $sessionId::text',
)

test('a long conversation is summarised past its threshold, and its next turn is told the summary', async () => {
  const { model, shop, house } = talk
  const db = house.database.database
  model.play(({ messages }) =>
    messages[0]?.text.startsWith('Summarise') === true
      ? ['Nino, order A-7.\u0000']
      : [`Answer to ${messages.at(-1)?.text}.`],
  )
  let sessionId: string | null = null
  for (let turn = 1; turn <= 4; turn++)
    sessionId = (await ask({ prompt: `Question ${turn}`, sessionId })).body.sessionId
  const kept = async () => await db.one(summaryOf, { tenantId: shop.tenantId, sessionId: sessionId ?? '' })
  await until(async () => (await kept())?.summary !== null)
  assert.deepEqual(await kept(), { summary: 'Nino, order A-7.\ufffd', to: 2 })
  await ask({ prompt: 'Question 5', sessionId })
  const messages = model.requests.at(-1)?.messages ?? []
  assert.match(messages[0]?.text ?? '', /«data \S+ summary»\nNino, order A-7\.\ufffd/)
  assert.deepEqual(
    messages.filter(({ role }) => role === 'user').map(({ text }) => text),
    ['Question 3', 'Question 4', 'Question 5'],
  )
  await house.app.flush()
})

test('a summary that fails is no loss: the conversation goes on', async () => {
  const { model, shop, house } = talk
  model.play(({ messages }) =>
    messages[0]?.text.startsWith('Summarise') === true ? [{ fail: new Error('no') }] : ['Yes.'],
  )
  let sessionId: string | null = null
  for (let turn = 1; turn <= 6; turn++) {
    const { status, body } = await ask({ prompt: `Question ${turn}`, sessionId })
    assert.equal(status, 200)
    sessionId = body.sessionId
  }
  assert.equal(
    (await house.database.database.one(summaryOf, { tenantId: shop.tenantId, sessionId: sessionId ?? '' }))?.summary,
    null,
  )
})

test('a conversation that rested too long is deleted by its duty, with what was said in it', async () => {
  const { house, shop, model } = talk
  model.play(['Hello.'])
  const db = house.database.database
  const [old, young] = [(await ask({ prompt: 'Old' })).body.sessionId, (await ask({ prompt: 'Young' })).body.sessionId]
  await db.script(`update sessions set last_at = now() - interval '31 days' where session_id = '${old}'`)
  const forget = house.app.duties.find(({ name }) => name === 'chat.forget')
  assert.equal(await forget?.work(new AbortController().signal), 1)
  assert.equal((await ask({ prompt: 'x', sessionId: old })).error?.reason, 'not_issued')
  assert.equal((await ask({ prompt: 'x', sessionId: young })).status, 200)
  const left = await db.rows(statementOfExchanges, { tenantId: shop.tenantId, sessionId: old ?? '' })
  assert.deepEqual(left, [])
})
const statementOfExchanges = statement<{ number: number }, { tenantId: number; sessionId: string }>(
  'test.exchanges_of',
  'select number from exchanges where tenant_id = $tenantId::int and session_id = $sessionId::text',
)

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3])
const data = PNG.toString('base64')

test('a picture reaches the model as bytes that were looked at, and only tools that may see one are offered', async () => {
  const { model } = talk
  model.play(['A cat.'])
  const { status } = await ask({ prompt: 'What is this?', image: { data, mimeType: 'image/png' } })
  assert.equal(status, 200)
  const request = model.requests.at(-1)
  const last = request?.messages.at(-1)
  assert.ok(last?.role === 'user')
  assert.deepEqual(
    last.pictures?.map(({ mimeType, data: bytes }) => [mimeType, Buffer.from(bytes).equals(PNG)]),
    [['image/png', true]],
  )
  assert.ok(request?.tools.every(({ name }) => name !== 'cancel_order'))
})

test('each way in which a picture is refused has its reason', async () => {
  const cases = [
    [{ data, url: 'https://pictures.example.com/a.png', mimeType: 'image/png' }, 'both_sources'],
    [{ mimeType: 'image/png' }, 'both_sources'],
    [{ data }, 'missing_type'],
    [{ data, mimeType: 'image/gif' }, 'unsupported_type'],
    [{ data: 'not base64!', mimeType: 'image/png' }, 'not_base64'],
    [{ data: Buffer.concat([PNG, Buffer.alloc(2000)]).toString('base64'), mimeType: 'image/png' }, 'too_large'],
    [{ data, mimeType: 'image/jpeg' }, 'type_mismatch'],
    [{ data: Buffer.from('<svg/>').toString('base64'), mimeType: 'image/png' }, 'type_mismatch'],
    [{ url: 'http://pictures.example.com/a.png' }, 'insecure_url'],
    [{ url: 'https://user@pictures.example.com/a.png' }, 'insecure_url'],
    [{ url: 'file:///etc/passwd' }, 'insecure_url'],
    [{ url: 'https://elsewhere.example.com/a.png' }, 'host_not_allowed'],
  ] as const
  // What an earlier turn still asks a model meanwhile is another question.
  const prompt = 'What does the refused picture show?'
  assert.match((await ask({ prompt, image: {} })).error?.message ?? '', /neither .* Send one of them/)
  for (const [image, reason] of cases) {
    const { status, error } = await ask({ prompt, image })
    assert.deepEqual(
      [status, error?.code, error?.reason],
      [400, 'invalid_image', reason],
      JSON.stringify(image).slice(0, 80),
    )
  }
  assert.equal((await ask({ prompt, image: { data: 7 } })).error?.code, 'invalid_image')
  assert.ok(!JSON.stringify(talk.model.requests.map(({ messages }) => messages)).includes(prompt), 'no model was asked')
})

test('a conversation is kept whatever the names are that a model made up for its calls', async () => {
  const { model } = talk
  model.play(
    Array.from({ length: 20 }, (_, at) => ({ call: `made\u0000up ${at}` })),
    ['What was it about?'],
  )
  const first = await ask({ prompt: 'Remember the lamp' })
  assert.equal(first.status, 200)
  model.play(['Yes.'])
  await ask({ prompt: 'Do you?', sessionId: first.body.sessionId })
  assert.ok(model.requests.at(-1)?.messages.some(({ text }) => text === 'Remember the lamp'))
})
