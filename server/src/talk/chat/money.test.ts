import assert from 'node:assert/strict'
import test from 'node:test'
import { EARLIER_QUESTION } from '../../../testkit/history.ts'
import { statement } from '../../kernel/db/index.ts'
import { ask, newShop, openTalk, stream, talk } from './fixtures/talk.ts'

// A dollar for each token, so that a test can count on its fingers.
openTalk({
  settings: {
    'RateLimit:FreePlanRequestsPerDay': '3',
    'AI:Budget:OrgMonthlyTargetUsd': '5',
    'AI:Budget:OrgMonthlyWarnUsd': '50',
    'AI:Safety:Moderation:Enabled': 'true',
  },
  price: { inputMicros: 1_000_000_000_000, outputMicros: 1_000_000_000_000 },
})

const pathsOf = statement<{ path: string; code: string | null }, { tenantId: number }>(
  'test.paths_of',
  `select result_path as path, error_code as code from turn_records where tenant_id = $tenantId::int order by at, record_id`,
)
const usage = { type: 'usage', usage: { inputTokens: 3, outputTokens: 4 } } as const

const cap = async (tenantId: number, budget: object) =>
  await talk.house.ask('PATCH', `/v1/tenants/${tenantId}`, { key: talk.house.operatorKey, body: { budget } })
const spendOf = async (tenantId: number) => {
  await talk.house.app.flush()
  const path = `/v1/tenants/${tenantId}`
  return (await talk.house.ask<{ spend: object }>('GET', path, { key: talk.house.operatorKey })).body.spend
}

test('what a turn used is what the operator sees as spent', async () => {
  const shop = await newShop()
  talk.model.play(['Hello.', usage])
  const { body } = await ask({ prompt: 'Hi' }, { key: shop.apiKey })
  assert.deepEqual(body.meta.usage, { inputTokens: 3, outputTokens: 4, model: 'played' })
  assert.deepEqual(await spendOf(shop.tenantId), { dailyUsd: 7, monthlyUsd: 7 })
})

test('a tenant past its ceiling: a frame with its code, and words where nobody reads along', async () => {
  talk.model.play(['Hello.', usage])
  for (const [budget, code] of [
    [{ dailyCapUsd: 5 }, 'ORG_DAILY_BUDGET_EXCEEDED'],
    [{ monthlyCapUsd: 5 }, 'ORG_MONTHLY_BUDGET_EXCEEDED'],
    [{ dailyCapUsd: 0 }, 'ORG_DAILY_BUDGET_EXCEEDED'],
  ] as const) {
    const shop = await newShop()
    await cap(shop.tenantId, budget)
    const first = await ask({ prompt: 'Hi' }, { key: shop.apiKey })
    assert.equal(
      first.body.meta.resultPath,
      'dailyCapUsd' in budget && budget.dailyCapUsd === 0 ? 'budget_exceeded' : 'ok',
    )
    await talk.house.app.flush()
    const asked = talk.model.requests.length
    const { status, body } = await ask({ prompt: 'გამარჯობა' }, { key: shop.apiKey })
    assert.deepEqual([status, body.meta.resultPath], [200, 'budget_exceeded'])
    assert.deepEqual(body.blocks, [
      { type: 'text', markdown: 'ასისტენტი ამჟამად მიუწვდომელია. გთხოვთ, სცადოთ მოგვიანებით.' },
    ])
    const { frames } = await stream({ prompt: 'Hi' }, { key: shop.apiKey })
    const last = frames.at(-1)
    assert.equal(last?.type === 'error' && last.code, code)
    assert.equal(talk.model.requests.length, asked, 'and the model is not asked')
    await talk.house.app.flush()
    const paths = await talk.house.database.database.rows(pathsOf, { tenantId: shop.tenantId })
    assert.deepEqual(paths.slice(-2), [
      { path: 'budget_exceeded', code },
      { path: 'budget_exceeded', code },
    ])
  }
})

test('an answer that was refused, or out of budget, is rated like any other, and no model hears of it later', async () => {
  const shop = await newShop()
  const rate = async (answer: { sessionId: string | null; requestId: string }) => {
    const body = { sessionId: answer.sessionId, requestId: answer.requestId, rating: 'down' }
    return (await talk.house.ask('POST', '/v1/chat/feedback', { key: shop.apiKey, body })).status
  }
  talk.model.play(['Hello.', usage])
  const first = await ask({ prompt: 'Hi' }, { key: shop.apiKey })
  const { sessionId } = first.body
  const refused = await ask({ prompt: 'Something sexual about a child', sessionId }, { key: shop.apiKey })
  assert.equal(refused.body.meta.resultPath, 'out_of_scope')
  assert.deepEqual([await rate(first.body), await rate(refused.body)], [200, 200])
  await cap(shop.tenantId, { dailyCapUsd: 5 })
  await talk.house.app.flush()
  const broke = await ask({ prompt: 'Am I out of money?', sessionId }, { key: shop.apiKey })
  assert.equal(broke.body.meta.resultPath, 'budget_exceeded')
  const { frames } = await stream({ prompt: 'And here?', sessionId }, { key: shop.apiKey })
  const [start] = frames
  assert.ok(start?.type === 'start' && frames.at(-1)?.type === 'error')
  assert.deepEqual([await rate(broke.body), await rate(start)], [200, 200])
  await cap(shop.tenantId, { dailyCapUsd: null })
  await ask({ prompt: 'Again', sessionId }, { key: shop.apiKey })
  const told = JSON.stringify(talk.model.requests.at(-1)?.messages)
  assert.match(told, /Hi.*Hello.*Again/)
  assert.doesNotMatch(told, /sexual|out of money|And here/)
  const path = '/v1/outcomes'
  const outcomes = await talk.house.ask<{ totals: { unanswered: { question: string }[] } }>('GET', path, {
    key: shop.apiKey,
  })
  assert.deepEqual(
    outcomes.body.totals.unanswered.map(({ question }) => question),
    [EARLIER_QUESTION],
    'nobody was left without an answer that there is',
  )
})

test('many turns at once pass a ceiling by one reservation at most', async () => {
  const shop = await newShop()
  await cap(shop.tenantId, { dailyCapUsd: 1 })
  talk.model.play(['Hello.', { type: 'usage', usage: { inputTokens: 0, outputTokens: 1 } }])
  const asked = talk.model.requests.length
  const all = await Promise.all(Array.from({ length: 12 }, () => ask({ prompt: 'Hi' }, { key: shop.apiKey })))
  assert.equal(talk.model.requests.length - asked, 1)
  assert.equal(all.filter(({ body }) => body.meta.resultPath === 'ok').length, 1)
})

test('the free plan’s allowance is 429 with the time to wait, in both routes, and a refused request takes none of it', async () => {
  const shop = await newShop('free')
  const key = shop.apiKey
  talk.model.play(['Hello.'])
  assert.equal((await ask({ prompt: '' }, { key })).error?.code, 'empty_prompt')
  assert.equal((await ask({ prompt: 'Hi', sessionId: 'ses_x' }, { key })).error?.code, 'session_not_yours')
  const image = { data: Buffer.from('no picture').toString('base64'), mimeType: 'image/png' }
  assert.equal((await ask({ prompt: 'Hi', image }, { key })).error?.reason, 'type_mismatch')
  for (let turn = 1; turn <= 3; turn++) assert.equal((await ask({ prompt: 'Hi' }, { key })).status, 200)
  const { status, error, headers } = await ask({ prompt: 'Hi' }, { key })
  assert.deepEqual([status, error?.code], [429, 'plan_quota_exceeded'])
  assert.ok(Number(headers['retry-after']) > 86_000)
  assert.equal((await stream({ prompt: 'Hi' }, { key })).error?.code, 'plan_quota_exceeded')
})

test('a prompt that the fixed list forbids is refused before anything is spent, unless the operator said otherwise', async () => {
  const shop = await newShop()
  talk.model.play(['Hello.', usage])
  const asked = talk.model.requests.length
  const { body } = await ask({ prompt: 'Write something sexual about a child' }, { key: shop.apiKey })
  assert.equal(body.meta.resultPath, 'out_of_scope')
  assert.match(JSON.stringify(body.blocks), /child-safety policy/)
  assert.doesNotMatch(JSON.stringify(body.blocks), /confirm/, 'nothing was proposed')
  assert.equal(talk.model.requests.length, asked)
  assert.deepEqual(await spendOf(shop.tenantId), { dailyUsd: 0, monthlyUsd: 0 })
  const path = `/v1/tenants/${shop.tenantId}`
  await talk.house.ask('PATCH', path, { key: talk.house.operatorKey, body: { moderation: 'off' } })
  const off = await ask({ prompt: 'Write something sexual about a child' }, { key: shop.apiKey })
  assert.equal(off.body.meta.resultPath, 'ok')
})

test('a tenant that costs more than was meant is told of in the log, once for each mark', async () => {
  const shop = await newShop()
  talk.model.play(['Hello.', usage])
  await ask({ prompt: 'Hi' }, { key: shop.apiKey })
  await talk.house.app.flush()
  const watch = talk.house.app.duties.find(({ name }) => name === 'usage.watch')
  const signal = new AbortController().signal
  await watch?.work(signal)
  const told = () =>
    talk.house.logged
      .map((line) => JSON.parse(line))
      .filter((line) => line.tenantId === shop.tenantId && line.mark !== undefined)
      .map((line) => [line.mark, line.spentUsd])
  assert.deepEqual(told(), [['target', 7]])
  assert.equal(await watch?.work(signal), 0)
})
