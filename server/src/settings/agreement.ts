// Settings that are each right by themselves and cannot stand together. A start with them would fail later, at a visitor.
import type { Lookup } from './setting.ts'
import type { Fault } from './sources.ts'

const PLANS = ['Free', 'Bring_your_ai', 'Use_tether_ai', 'Starter', 'Growth', 'Enterprise'].map(
  (plan) => `AI:Models:${plan}`,
)
const DEFAULT = 'AI:Models:Default'
const OFFLINE = 'offline'

export function disagreements(read: Lookup): Fault[] {
  return [...unaddressed(read), ...unnamed(read), ...unpriced(read), ...forgetful(read)]
}

function forgetful(read: Lookup): Fault[] {
  const [setting, summarised] = ['AI:Memory:RecentExchanges', 'AI:Memory:SummarizeAfterExchanges']
  const recent = Number(read(setting))
  if (recent < Number(read(summarised))) return []
  const message = `${setting} is ${recent}. It must be less than ${summarised}: what is shown word for word is not summarised.`
  return [{ setting, message }]
}

function unaddressed(read: Lookup): Fault[] {
  const kind = read('AI:Provider:Kind')
  if (kind === 'openai-compatible' && read('AI:Provider:BaseUrl') === undefined) {
    const message =
      'AI:Provider:BaseUrl is missing. Set it to the address of the provider, up to and without /chat/completions.'
    return [{ setting: 'AI:Provider:BaseUrl', message }]
  }
  const isMaker = kind === 'openai' || kind === 'anthropic' || kind === 'google'
  if (!isMaker || (read('AI:Provider:ApiKey') ?? '') !== '') return []
  const message = `AI:Provider:ApiKey is missing. AI:Provider:Kind is ${kind}: set it to the key that ${kind} gave you.`
  return [{ setting: 'AI:Provider:ApiKey', message }]
}

function unnamed(read: Lookup): Fault[] {
  const kind = read('AI:Provider:Kind')
  if (kind === OFFLINE || kind === undefined || read(DEFAULT) !== undefined) return []
  if (PLANS.every((name) => read(name) !== undefined)) return []
  return [
    { setting: DEFAULT, message: `${DEFAULT} is missing. Set it to the name of the model that ${kind} is asked for.` },
  ]
}

function unpriced(read: Lookup): Fault[] {
  const prices = read('AI:Prices')
  const isPriced = (model: string) => prices instanceof Map && prices.has(model.toLowerCase())
  return [DEFAULT, ...PLANS].flatMap((setting) => {
    const model = read(setting)
    if (typeof model !== 'string' || model === OFFLINE || isPriced(model)) return []
    const message = `${setting} names ${model}, which has no price. Set AI:Prices:${model}:InputPerMillion and AI:Prices:${model}:OutputPerMillion in US dollars for a million tokens (0 when it costs nothing).`
    return [{ setting, message }]
  })
}
