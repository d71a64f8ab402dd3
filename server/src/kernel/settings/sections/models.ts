// Which language model answers, where it is reached, and what it costs.
import { priceTable } from '../price-table.ts'
import { derivedSetting, optionalSetting, section, setting } from '../setting.ts'
import { decimal, oneOf, publicUrl, text, whole } from '../shapes.ts'

const modelName = text({ min: 1, max: 128, of: 'the name of a model' })

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

const isPlain = (url: string): boolean => url.startsWith('http:') && !LOOPBACK.includes(new URL(url).hostname)

export const provider = section('Provider', 'Where the language model is reached.', {
  kind: setting(oneOf('offline', 'openai-compatible', 'openai', 'anthropic', 'google'), {
    default: 'offline',
    meaning:
      'What answers. offline uses no model: it matches words, quotes what it finds, and says so. The others ask a language model.',
  }),
  baseUrl: optionalSetting(publicUrl, {
    meaning:
      'The address of the provider. openai-compatible needs it and adds /chat/completions; the other kinds have their own.',
    advise: (url) =>
      url !== undefined && isPlain(url)
        ? 'The key and every conversation travel unencrypted to this address. Use https unless it is on your own network.'
        : undefined,
  }),
  apiKey: optionalSetting(text({ max: 4096, secret: true }), {
    meaning: 'The key for the provider. openai, anthropic and google need it.',
  }),
  timeoutSeconds: setting(decimal(1, 3600), {
    default: 60,
    meaning: 'How long one answer of the model may take in total.',
  }),
  silenceSeconds: setting(decimal(1, 3600), {
    default: 30,
    meaning: 'How long the model may stay silent before its answer is abandoned.',
  }),
})

const EMBEDDING_KINDS = ['openai-compatible', 'openai', 'google'] as const

export const embeddings = section(
  'Embeddings',
  'The model whose vectors find documents by what they mean, besides their words. Without one, words alone find them.',
  {
    model: optionalSetting(modelName, {
      meaning:
        'The name of the model. It needs a price: AI:Prices:<model>:InputPerMillion. Another one makes all vectors anew.',
    }),
    kind: derivedSetting(
      oneOf(...EMBEDDING_KINDS),
      { meaning: 'Whose model it is. Each kind is reached as that of AI:Provider:Kind is.' },
      {
        words: 'openai-compatible if AI:Embeddings:BaseUrl is set, otherwise AI:Provider:Kind',
        derive: (read) =>
          (read('AI:Embeddings:BaseUrl') === undefined
            ? EMBEDDING_KINDS.find((kind) => kind === read('AI:Provider:Kind'))
            : undefined) ?? 'openai-compatible',
      },
    ),
    baseUrl: optionalSetting(publicUrl, {
      meaning:
        'The address of the provider. openai-compatible needs it and adds /embeddings; the other kinds have their own.',
      advise: (url) =>
        url !== undefined && isPlain(url)
          ? 'The key, every document and every question travel unencrypted to this address. Use https unless it is on your own network.'
          : undefined,
    }),
    apiKey: optionalSetting(text({ max: 4096, secret: true }), {
      meaning: 'The key for the provider. openai and google need it.',
    }),
    dimensions: optionalSetting(whole(1, 16_384), {
      meaning:
        'How many numbers a vector has. Leave it out for a model that has one length only. Another value makes all vectors anew.',
    }),
    leastSimilarity: setting(decimal(0, 1), {
      default: 0.35,
      meaning:
        'How similar (cosine) a text must be to a question to fit it. What is right depends on the model: some call any two texts similar.',
    }),
    questionSeconds: setting(decimal(0.05, 60), {
      default: 1.5,
      meaning: 'How long a question waits for its vector. After that it is answered by words alone.',
    }),
  },
)

const ofPlan = (plan: string) => optionalSetting(modelName, { meaning: `The model of workspaces on the plan ${plan}.` })

export const models = section('Models', 'Which model answers. Each needs a price.', {
  default: optionalSetting(modelName, { meaning: 'The model of every plan without one of its own.' }),
  free: ofPlan('free (or Free)'),
  bring_your_ai: ofPlan('bring_your_ai'),
  use_tether_ai: ofPlan('use_tether_ai'),
  starter: ofPlan('Starter'),
  growth: ofPlan('Growth'),
  enterprise: ofPlan('Enterprise'),
})

export const prices = setting(priceTable, {
  default: new Map(),
  meaning:
    'What each model costs in US dollars per million tokens: AI:Prices:<model>:InputPerMillion and AI:Prices:<model>:OutputPerMillion. A model of AI:Embeddings has only the first.',
})
