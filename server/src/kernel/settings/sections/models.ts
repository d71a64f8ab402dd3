// Which language model answers, where it is reached, and what it costs.
import { priceTable } from '../price-table.ts'
import { section } from '../setting.ts'
import { decimal, oneOf, publicUrl, text, wholeNumber } from '../shapes.ts'

const modelName = text({ min: 1, max: 128, of: 'the name of a model' })

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

const isPlain = (url: string): boolean => url.startsWith('http:') && !LOOPBACK.includes(new URL(url).hostname)

export const provider = section('Provider', 'Where the language model is reached.', {
  kind: oneOf('offline', 'openai-compatible', 'openai', 'anthropic', 'google')
    .default('offline')
    .describe(
      'What answers. offline uses no model: it matches words, quotes what it finds, and says so. The others ask a language model.',
    ),
  baseUrl: publicUrl
    .optional()
    .describe(
      'The address of the provider. openai-compatible needs it and adds /chat/completions; the other kinds have their own.',
      {
        advise: (url) =>
          url !== undefined && isPlain(url)
            ? 'The key and every conversation travel unencrypted to this address. Use https unless it is on your own network.'
            : undefined,
      },
    ),
  apiKey: text({ max: 4096, secret: true })
    .optional()
    .describe('The key for the provider. openai, anthropic and google need it.'),
  timeoutSeconds: decimal(1, 3600, 60).describe('How long one answer of the model may take in total.'),
  silenceSeconds: decimal(1, 3600, 30).describe('How long the model may stay silent before its answer is abandoned.'),
})

const EMBEDDING_KINDS = ['openai-compatible', 'openai', 'google'] as const

export const embeddings = section(
  'Embeddings',
  'The model whose vectors find documents by what they mean, besides their words. Without one, words alone find them.',
  {
    model: modelName
      .optional()
      .describe(
        'The name of the model. It needs a price: AI:Prices:<model>:InputPerMillion. Another one makes all vectors anew.',
      ),
    kind: oneOf(...EMBEDDING_KINDS)
      .derived(
        'openai-compatible if AI:Embeddings:BaseUrl is set, otherwise AI:Provider:Kind',
        (read) =>
          (read('AI:Embeddings:BaseUrl') === undefined
            ? EMBEDDING_KINDS.find((kind) => kind === read('AI:Provider:Kind'))
            : undefined) ?? 'openai-compatible',
      )
      .describe('Whose model it is. Each kind is reached as that of AI:Provider:Kind is.'),
    baseUrl: publicUrl
      .optional()
      .describe(
        'The address of the provider. openai-compatible needs it and adds /embeddings; the other kinds have their own.',
        {
          advise: (url) =>
            url !== undefined && isPlain(url)
              ? 'The key, every document and every question travel unencrypted to this address. Use https unless it is on your own network.'
              : undefined,
        },
      ),
    apiKey: text({ max: 4096, secret: true })
      .optional()
      .describe('The key for the provider. openai and google need it.'),
    dimensions: wholeNumber(1, 16_384)
      .optional()
      .describe(
        'How many numbers a vector has. Leave it out for a model that has one length only. Another value makes all vectors anew.',
      ),
    leastSimilarity: decimal(0, 1, 0.35).describe(
      'How similar (cosine) a text must be to a question to fit it. What is right depends on the model: some call any two texts similar.',
    ),
    questionSeconds: decimal(0.05, 60, 1.5).describe(
      'How long a question waits for its vector. After that it is answered by words alone.',
    ),
  },
)

const ofPlan = (plan: string) => modelName.optional().describe(`The model of workspaces on the plan ${plan}.`)

export const models = section('Models', 'Which model answers. Each needs a price.', {
  default: modelName.optional().describe('The model of every plan without one of its own.'),
  free: ofPlan('free (or Free)'),
  bring_your_ai: ofPlan('bring_your_ai'),
  use_tether_ai: ofPlan('use_tether_ai'),
  starter: ofPlan('Starter'),
  growth: ofPlan('Growth'),
  enterprise: ofPlan('Enterprise'),
})

export const prices = priceTable
  .default(new Map())
  .describe(
    'What each model costs in US dollars per million tokens: AI:Prices:<model>:InputPerMillion and AI:Prices:<model>:OutputPerMillion. A model of AI:Embeddings has only the first.',
  )
