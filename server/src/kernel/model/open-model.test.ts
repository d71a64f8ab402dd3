import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { env } from 'node:process'
import { test } from 'node:test'
import { httpServer } from '../egress/fixtures/servers.ts'
import { loadSettings } from '../settings/index.ts'
import { eventsOf, replay } from './fixtures/replay.ts'
import { API_KEY, chunk, gather, request } from './fixtures/rounds.ts'
import { type ModelSettings, modelOf, openModel, openModels } from './open-model.ts'
import type { ClosableModel } from './port.ts'

const provider = <Kind extends ModelSettings['provider']['kind']>(
  kind: Kind,
  fields: Partial<ModelSettings['provider']> = {},
) => ({
  baseUrl: undefined,
  apiKey: undefined,
  timeoutSeconds: 5,
  silenceSeconds: 5,
  ...fields,
  kind,
})

const standIn: ClosableModel = { kind: 'stand-in', async *stream() {}, close: async () => {} }

test('each kind of provider answers', async (t) => {
  const { baseUrl, asked } = await replay(t, { pieces: eventsOf(chunk({ content: 'Hello' }, 'stop'), '[DONE]') })
  for (const kind of ['openai-compatible', 'openai'] as const) {
    const model = openModel(provider(kind, { baseUrl, apiKey: API_KEY }), Date.now)
    t.after(() => model.close())
    assert.equal(model.kind, kind)
    assert.deepEqual((await gather(model)).finishes, ['stop'])
  }
  assert.equal(asked.length, 2)
  const keyless = openModel(provider('openai-compatible', { baseUrl }), Date.now)
  t.after(() => keyless.close())
  await gather(keyless, request)
  assert.equal(asked.at(-1)?.headers.authorization, undefined)
})

test('certificates of providers are verified even if the environment disables verification', async (t) => {
  const before = env.NODE_TLS_REJECT_UNAUTHORIZED
  env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  t.after(() => {
    if (before === undefined) delete env.NODE_TLS_REJECT_UNAUTHORIZED
    else env.NODE_TLS_REJECT_UNAUTHORIZED = before
  })
  let requests = 0
  const { port } = await httpServer(t, (_request, response) => response.end(String(++requests)), true)
  for (const kind of ['openai-compatible', 'openai'] as const) {
    const model = openModel(provider(kind, { baseUrl: `https://127.0.0.1:${port}/v1`, apiKey: API_KEY }), Date.now)
    t.after(() => model.close())
    await assert.rejects(gather(model), { name: 'ModelFailure', kind: 'unreachable' }, kind)
  }
  assert.equal(requests, 0)
})

test("a plan's own model, else the default; without a model it is offline and says so", () => {
  const models = {
    default: 'small',
    free: undefined,
    bring_your_ai: undefined,
    use_tether_ai: 'big',
    starter: undefined,
    growth: undefined,
    enterprise: 'biggest',
  }
  const settings = { provider: provider('openai'), models }
  assert.deepEqual(
    ['free', 'use_tether_ai', 'Enterprise', 'Growth'].map((plan) => modelOf(settings, plan)),
    ['small', 'big', 'biggest', 'small'],
  )
  assert.equal(modelOf({ ...settings, provider: provider('offline') }, 'Enterprise'), 'offline')
})

test('the desk gives each plan its model and the price of it', async () => {
  const none = {
    free: undefined,
    bring_your_ai: undefined,
    use_tether_ai: undefined,
    starter: undefined,
    growth: undefined,
  }
  const desk = openModels(
    {
      provider: provider('anthropic', { apiKey: API_KEY }),
      models: { ...none, default: 'Small', enterprise: 'big' },
      prices: new Map([
        ['small', { inputMicros: 1, outputMicros: 2 }],
        ['big', { inputMicros: 3, outputMicros: 4 }],
      ]),
    },
    standIn,
    Date.now,
  )
  assert.deepEqual([desk.of('free').name, desk.of('free').price], ['Small', { inputMicros: 1, outputMicros: 2 }])
  assert.deepEqual(
    [desk.of('Enterprise').name, desk.of('Enterprise').price],
    ['big', { inputMicros: 3, outputMicros: 4 }],
  )
  assert.equal(desk.of('free').model.kind, 'anthropic')
  await desk.close()
})

test('what speaks to a provider is not loaded before it is asked', () => {
  const script = `
    const { registerHooks } = await import('node:module')
    const loaded = []
    registerHooks({ resolve: (name, context, next) => (loaded.push(name), next(name, context)) })
    const { openModel } = await import(process.argv[1])
    const provider = { kind: 'openai', apiKey: 'x', timeoutSeconds: 1, silenceSeconds: 1, baseUrl: 'http://127.0.0.1:1' }
    const model = openModel(provider, Date.now)
    const early = loaded.filter((name) => name.startsWith('@ai-sdk/'))
    const request = { model: 'm', messages: [], tools: [], maxOutputTokens: 1 }
    try { for await (const part of model.stream(request, new AbortController().signal)) part } catch {}
    const later = loaded.filter((name) => name.startsWith('@ai-sdk/'))
    process.stdout.write(JSON.stringify([early, later.includes('@ai-sdk/openai'), later.includes('@ai-sdk/google')]))
    await model.close()
  `
  const args = ['--input-type=module', '-e', script, join(import.meta.dirname, 'index.ts')]
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  assert.deepEqual(JSON.parse(stdout || 'null'), [[], true, false], stderr)
})

test('the settings fit as they are read, and without a model another answers', () => {
  const loaded = loadSettings({
    env: { Encryption__Key: Buffer.alloc(32, 'key of thirty-two bytes').toString('base64') },
    readFile: () => '{}',
  })
  assert.ok(loaded.ok)
  const { model, name } = openModels(loaded.settings.ai, standIn, Date.now).of('free')
  assert.deepEqual([model, name], [standIn, 'offline'])
})
