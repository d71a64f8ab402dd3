// A provider that answers with whatever it likes, behind the makers' own packages: what we say of it, and what it may cost.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { inspect } from 'node:util'
import { type Recorded, replay } from '../fixtures/replay.ts'
import { API_KEY, gather, NOW } from '../fixtures/rounds.ts'
import { ModelFailure } from '../port.ts'
import { openAiSdk } from './open.ts'

const KINDS = ['openai', 'anthropic', 'google'] as const
type Kind = (typeof KINDS)[number]
const SAID = 'the customer lives at 12 Rustaveli Avenue'

async function failure(t: TestContext, kind: Kind, answer: Recorded): Promise<ModelFailure> {
  const { baseUrl } = await replay(t, answer)
  const model = openAiSdk({ kind, baseUrl, apiKey: API_KEY, totalMs: 60_000, silenceMs: 20_000, now: () => NOW })
  t.after(() => model.close())
  const error = await gather(model).then(
    (got) => assert.fail(`this must fail, and it said ${inspect(got).slice(0, 300)}`),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof ModelFailure, inspect(error))
  const shown = inspect(error, { depth: 9, showHidden: true })
  assert.ok(!shown.includes(API_KEY), shown)
  return error
}

for (const kind of KINDS) {
  test(`${kind}: an event that is no JSON, or of no known shape, is not quoted: it is the conversation`, async (t) => {
    for (const data of [
      `{"said": "${SAID}"`,
      `{"type": "${SAID}", "choices": {}, "candidates": "${SAID}"}`,
      `"${SAID}"`,
    ]) {
      const error = await failure(t, kind, { pieces: [`data: ${data}\n\n`] })
      assert.equal(error.kind, 'broken')
      assert.ok(!error.message.includes('Rustaveli'), error.message)
    }
  })

  test(`${kind}: a success that is a page, and one that is nothing`, async (t) => {
    const page = await failure(t, kind, {
      headers: { 'content-type': 'text/html' },
      pieces: [`<html><body>${SAID} ${API_KEY}</body></html>`],
    })
    assert.equal(page.kind, 'broken')
    assert.equal((await failure(t, kind, { pieces: [] })).kind, 'broken')
  })

  test(`${kind}: an error whose body is no JSON repeats neither the key nor more than a line`, async (t) => {
    for (const status of [400, 429, 500]) {
      const error = await failure(t, kind, {
        status,
        headers: { 'content-type': 'text/html' },
        pieces: [`<html>${API_KEY} ${'y'.repeat(100_000)}</html>`],
      })
      assert.ok(error.message.length < 500, `${error.message.length}`)
    }
  })

  test(`${kind}: one event of many megabytes costs no more than its size`, async (t) => {
    const piece = 'y'.repeat(64 * 1024)
    const pieces = ['data: {"x":"', ...Array.from({ length: 512 }, () => piece)]
    const before = process.cpuUsage()
    const error = await failure(t, kind, { pieces })
    const { user, system } = process.cpuUsage(before)
    const spentMs = (user + system) / 1000
    t.diagnostic(`${Math.round(spentMs)} ms of processor, ${error.message}`)
    assert.equal(error.kind, 'broken')
    assert.ok(spentMs < 5_000, `${spentMs} ms`)
  })
}
