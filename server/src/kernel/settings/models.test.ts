import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultsOf, load, PRODUCTION, settingsOf, warningsOf } from './testing.ts'

const ASKED = {
  AI__Provider__Kind: 'openai-compatible',
  AI__Provider__BaseUrl: 'http://localhost:11434/v1/',
  AI__Models__Default: 'llama3:8b',
}
const PRICED = { 'AI__Prices__llama3:8b__InputPerMillion': '0.15', 'AI__Prices__llama3:8b__OutputPerMillion': '2' }

test('without any of them the service answers offline', () => {
  const { ai } = settingsOf(load({}))
  assert.equal(ai.provider.kind, 'offline')
  assert.deepEqual([ai.provider.baseUrl, ai.provider.apiKey, ai.models.default], [undefined, undefined, undefined])
  assert.equal(ai.prices.size, 0)
})

test('prices come from every source, entry by entry, exact, by the name of the model', () => {
  const loaded = load(
    { ...ASKED, ...PRICED, AI__PRICES__GPT__INPUTPERMILLION: '0.000001', AI__Models__bring_your_ai: 'GPT' },
    {
      'config/development.json': {
        AI: {
          Prices: {
            gpt: { InputPerMillion: 9, OutputPerMillion: 10.3 },
            'a:b': { InputPerMillion: 1, OutputPerMillion: 1 },
          },
        },
      },
    },
  )
  const { ai } = settingsOf(loaded)
  assert.deepEqual(
    warningsOf(loaded).filter((words) => words.includes('AI:')),
    [],
  )
  assert.deepEqual(Object.fromEntries(ai.prices), {
    'llama3:8b': { inputMicros: 150_000, outputMicros: 2_000_000 },
    gpt: { inputMicros: 1, outputMicros: 10_300_000 },
    'a:b': { inputMicros: 1_000_000, outputMicros: 1_000_000 },
  })
  assert.equal(ai.models.bring_your_ai, 'GPT')
  assert.equal(ai.provider.baseUrl, 'http://localhost:11434/v1')
})

test('a price that is none is named with its model and where it came from', () => {
  for (const [variable, raw] of [
    ['AI__Prices__gpt__InputPerMillion', 'free'],
    ['AI__Prices__gpt__InputPerMillion', '-1'],
    ['AI__Prices__gpt__InputPerMillion', '0.0000001'],
    ['AI__Prices__gpt__InputPerMilion', '1'],
    ['AI__Prices__gpt', '1'],
    ['AI__Prices', '1'],
  ] as const) {
    const [message, ...others] = faultsOf(load({ ...PRICED, [variable]: raw }))
    assert.deepEqual(others, [])
    assert.match(
      message ?? '',
      /^AI:Prices is .*but it must be InputPerMillion and OutputPerMillion for each model, .*\.$/,
    )
    assert.ok(message?.includes(variable) && !message.includes('llama3'), message)
  }
})

test('a model that a plan names without a price refuses the start', () => {
  const faults = faultsOf(load({ ...ASKED, ...PRICED, AI__Models__Growth: 'big' }))
  assert.deepEqual(faults, [
    'AI:Models:Growth names big, which has no price. Set AI:Prices:big:InputPerMillion and AI:Prices:big:OutputPerMillion in US dollars per million tokens (0 if it costs nothing).',
  ])
  assert.match(faultsOf(load({ ...ASKED, ...PRICED, AI__Models__Growth: 'big-one' })).join(), /CONFIG_FILE/)
  assert.equal(faultsOf(load({ AI__Models__Free: 'big' })).length, 1)
  settingsOf(load({ AI__Models__Free: 'offline' }))
})

test('a provider without its address, its key or a model refuses the start', () => {
  assert.match(
    faultsOf(load({ ...ASKED, ...PRICED, AI__Provider__BaseUrl: '' })).join(),
    /^AI:Provider:BaseUrl is missing/,
  )
  for (const kind of ['openai', 'anthropic', 'google']) {
    const [key, model] = faultsOf(load({ AI__Provider__Kind: kind }))
    assert.match(key ?? '', new RegExp(`^AI:Provider:ApiKey is missing.*${kind}`))
    assert.match(model ?? '', /^AI:Models:Default is missing/)
  }
})

test('a key that travels unencrypted is said, on a foreign host only', () => {
  const said = (url: string) =>
    warningsOf(load({ ...ASKED, ...PRICED, AI__Provider__BaseUrl: url }))
      .filter((words) => words.startsWith('AI:'))
      .join()
  assert.match(said('http://models.internal/v1'), /unencrypted/)
  assert.equal(said('http://127.0.0.1:1/v1'), '')
  assert.equal(said('https://models.internal/v1'), '')
})

test('Production warns of a model that costs money and has no ceiling', () => {
  const told = (env: Record<string, string>) =>
    warningsOf(
      load({ ...PRODUCTION, ...ASKED, AI__Provider__BaseUrl: 'https://models.example.com/v1', ...PRICED, ...env }),
    )
      .filter((words) => words.includes('AI:Budget'))
      .join()
  assert.match(told({}), /^AI:Budget:GlobalDailyCapUsd .*llama3:8b.*no ceiling/)
  for (const cap of ['GlobalDaily', 'GlobalMonthly', 'OrgDaily', 'OrgMonthly']) {
    assert.equal(told({ [`AI__Budget__${cap}CapUsd`]: '50' }), '', cap)
  }
  const free = Object.fromEntries(Object.keys(PRICED).map((name) => [name, '0']))
  assert.equal(told(free), '')
  assert.equal(told({ AI__Provider__Kind: 'offline', AI__Models__Default: 'offline' }), '')
  assert.equal(told({ Environment: 'Development' }), '')
  assert.match(
    told({
      ...free,
      AI__Models__Growth: 'dear',
      AI__Prices__dear__InputPerMillion: '0',
      AI__Prices__dear__OutputPerMillion: '1',
    }),
    /dear/,
  )
})

const EMBEDDED = {
  AI__Embeddings__Model: 'small',
  AI__Embeddings__BaseUrl: 'http://localhost:11434/v1',
  AI__Prices__small__InputPerMillion: '0.02',
}

test('a model of embeddings needs an address or a key, and a price for what it reads alone', () => {
  const { ai } = settingsOf(load({}))
  assert.deepEqual([ai.embeddings.model, ai.embeddings.kind], [undefined, 'openai-compatible'])
  const set = settingsOf(load(EMBEDDED)).ai
  assert.deepEqual([set.embeddings.kind, set.embeddings.dimensions], ['openai-compatible', undefined])
  assert.deepEqual(Object.fromEntries(set.prices), { small: { inputMicros: 20_000, outputMicros: null } })
  const google = { AI__Provider__Kind: 'google', AI__Provider__ApiKey: 'k', AI__Models__Default: 'm' }
  const ofMaker = { ...google, AI__Embeddings__Model: 'small', AI__Embeddings__ApiKey: 'key' }
  const priced = {
    AI__Prices__m__InputPerMillion: '1',
    AI__Prices__m__OutputPerMillion: '1',
    AI__Prices__small__InputPerMillion: '0',
  }
  assert.equal(settingsOf(load({ ...ofMaker, ...priced })).ai.embeddings.kind, 'google')
  for (const [without, words] of [
    [{ AI__Embeddings__BaseUrl: '' }, /^AI:Embeddings:BaseUrl is missing\./],
    [{ AI__Embeddings__Model: '' }, /^AI:Embeddings:Model is missing\..* or remove AI:Embeddings:BaseUrl\.$/],
    [{ AI__Embeddings__Kind: 'openai' }, /^AI:Embeddings:ApiKey is missing\./],
    [
      { AI__Embeddings__Model: 'other' },
      /^AI:Embeddings:Model names other, which has no price\. Set AI:Prices:other:InputPerMillion/,
    ],
    [
      { AI__Embeddings__Model: 'other-small' },
      /names other-small, which has no price\. .*Put it into the file that CONFIG_FILE names/,
    ],
    // A model that says something has a price for that, too.
    [{ ...ASKED, AI__Models__Default: 'small' }, /^AI:Models:Default names small, which has no price\./],
  ] as const) {
    const [message, ...others] = faultsOf(load({ ...EMBEDDED, ...without }))
    assert.match(message ?? '', words)
    assert.deepEqual(others, [])
  }
})
