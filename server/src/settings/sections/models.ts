// Which language model answers, where it is reached, and what it costs.
import { priceTable } from '../price-table.ts'
import { optionalSetting, section, setting } from '../setting.ts'
import { decimal, oneOf, publicUrl, text } from '../shapes.ts'

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
    'What each model costs in US dollars per million tokens: AI:Prices:<model>:InputPerMillion and AI:Prices:<model>:OutputPerMillion.',
})
