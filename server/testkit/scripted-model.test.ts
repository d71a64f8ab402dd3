import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { type ModelOptions, openScriptedModel } from './scripted-model.ts'

async function model(t: TestContext, options?: ModelOptions) {
  const opened = await openScriptedModel(options)
  t.after(() => opened.close())
  const ask = (fields: object = {}, signal?: AbortSignal) =>
    fetch(`${opened.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk-test' },
      body: JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: 'hi' }], ...fields }),
      ...(signal === undefined ? {} : { signal }),
    })
  return { ...opened, ask }
}

type Chunk = {
  choices: {
    delta: {
      content?: string
      tool_calls?: { index: number; id?: string; function: { name?: string; arguments: string } }[]
    }
    finish_reason: string | null
  }[]
  usage?: { total_tokens: number }
  error?: { message: string }
}

const dataOf = (text: string): string[] => [...text.matchAll(/^data: (.*?)\r?$/gm)].map(([, data]) => data ?? '')
const chunksOf = (text: string): Chunk[] =>
  dataOf(text)
    .filter((data) => data !== '[DONE]')
    .map((data): Chunk => JSON.parse(data))
const textOf = (chunks: readonly Chunk[]): string =>
  chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')
const finishOf = (chunks: readonly Chunk[]) => chunks.flatMap(({ choices }) => choices[0]?.finish_reason ?? [])

test('a text comes in pieces, with a reason at the end, and its usage where it was asked for', async (t) => {
  const { script, ask, requests } = await model(t)
  const turn = [{ text: 'Hello there, you.' }, { usage: { input: 10, output: 5 } }]
  script(turn, turn)
  const text = await (await ask({ stream_options: { include_usage: true } })).text()
  const chunks = chunksOf(text)
  assert.equal(textOf(chunks), 'Hello there, you.')
  assert.equal(chunks.filter(({ choices }) => choices[0]?.delta.content).length, 3)
  assert.deepEqual(finishOf(chunks), ['stop'])
  assert.deepEqual([chunks.at(-1)?.choices, chunks.at(-1)?.usage?.total_tokens], [[], 15])
  assert.equal(dataOf(text).at(-1), '[DONE]')
  assert.ok(chunksOf(await (await ask()).text()).every(({ usage }) => usage === undefined))
  assert.deepEqual(
    [requests.length, requests[0]?.body.model, requests[0]?.headers.authorization],
    [2, 'm', 'Bearer sk-test'],
  )
})

test('the arguments of several calls come in pieces that take turns', async (t) => {
  const { script, ask } = await model(t)
  const calls = [
    { name: 'one', arguments: { text: 'a "quote"', n: 1 } },
    { name: 'two', arguments: '', id: null },
  ]
  script([{ text: 'Let me look.' }, { calls, pieces: 5 }])
  const chunks = chunksOf(await (await ask()).text())
  const deltas = chunks.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? [])
  const joined = (index: number) =>
    deltas
      .filter((one) => one.index === index)
      .map((one) => one.function.arguments)
      .join('')
  assert.deepEqual([JSON.parse(joined(0)), joined(1)], [{ text: 'a "quote"', n: 1 }, ''])
  assert.equal(deltas.filter(({ index }) => index === 0).length, 6)
  assert.deepEqual([deltas[0]?.id, deltas[1]?.id], ['call_0', undefined])
  assert.deepEqual(finishOf(chunks), ['tool_calls'])
})

test('the same turn is one answer to who does not stream', async (t) => {
  const { script, ask } = await model(t)
  script([
    { text: 'Yes. ' },
    { calls: [{ name: 'one', arguments: { a: 1 } }] },
    { usage: { input: 1, output: 2, cached: 1 } },
  ])
  const answer = (await (await ask({ stream: false })).json()) as {
    choices: {
      message: { content: string; tool_calls: { function: { arguments: string } }[] }
      finish_reason: string
    }[]
    usage: object
  }
  assert.equal(answer.choices[0]?.message.content, 'Yes. ')
  assert.equal(answer.choices[0]?.message.tool_calls[0]?.function.arguments, '{"a":1}')
  assert.equal(answer.choices[0]?.finish_reason, 'tool_calls')
  const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3, prompt_tokens_details: { cached_tokens: 1 } }
  assert.deepEqual(answer.usage, usage)
})

test('errors, and a script that is over', async (t) => {
  const { script, ask } = await model(t)
  script({ status: 429, retryAfter: 7 }, { status: 500, message: 'Ouch.' })
  const limited = await ask()
  assert.deepEqual([limited.status, limited.headers.get('retry-after')], [429, '7'])
  assert.match(await (await ask()).text(), /Ouch\./)
  const over = await ask()
  assert.deepEqual([over.status, /no turn left/.test(await over.text())], [500, true])
})

test('a turn may depend on what was asked', async (t) => {
  const { script, ask } = await model(t)
  script(({ body }) => [{ text: `You said ${String(body.messages?.[0]?.content)}.` }])
  assert.equal(textOf(chunksOf(await (await ask()).text())), 'You said hi.')
})

test('it stalls, it is cut off, and it notices a caller that leaves', async (t) => {
  const { script, ask, requests } = await model(t)
  script(
    [{ text: 'Half of' }, { cut: true }],
    [{ text: 'Wait' }, { stall: true }],
    [{ text: 'a' }, { stallMs: 50 }, { text: ' b' }],
  )
  await assert.rejects((await ask()).text(), /terminated/)
  const leave = new AbortController()
  const waiting = await ask({}, leave.signal)
  leave.abort()
  await assert.rejects(waiting.text(), { name: 'AbortError' })
  await requests[1]?.gone
  const startedAt = performance.now()
  assert.equal(textOf(chunksOf(await (await ask()).text())), 'a b')
  assert.ok(performance.now() - startedAt >= 45)
})

test('it ends for other reasons, fails in the middle, and says what it likes', async (t) => {
  const { script, ask } = await model(t)
  const cutShort = [{ calls: [{ name: 'x', arguments: '{"half":' }] }, { finish: 'length' as const }]
  script(
    cutShort,
    [{ text: 'a' }, { finish: null }],
    [{ text: 'a' }, { errorInStream: 'Overloaded' }],
    [{ raw: 'data: {not json\n\n' }],
  )
  assert.deepEqual(finishOf(chunksOf(await (await ask()).text())), ['length'])
  assert.deepEqual(finishOf(chunksOf(await (await ask()).text())), [])
  assert.ok(chunksOf(await (await ask()).text()).some(({ error }) => error?.message === 'Overloaded'))
  assert.ok(dataOf(await (await ask()).text()).includes('{not json'))
})

test('quirks that are allowed: comments, CR LF, and no word at the end', async (t) => {
  const { script, ask } = await model(t, { quirky: true })
  script([{ text: 'Hello you' }])
  const text = await (await ask()).text()
  assert.equal(textOf(chunksOf(text)), 'Hello you')
  assert.ok(text.includes(': a comment\r\n\r\ndata: ') && !text.includes('[DONE]'))
})
