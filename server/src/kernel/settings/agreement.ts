// Finds settings that are valid alone but contradict each other, so that a start with them would fail later, in front of a
// visitor; and those that together are allowed, and dear.
import type { PriceTable } from './price-table.ts'
import type { Lookup } from './setting.ts'
import type { SettingFault, SettingWarning } from './sources.ts'

const PLANS = ['Free', 'Bring_your_ai', 'Use_tether_ai', 'Starter', 'Growth', 'Enterprise'].map(
  (plan) => `AI:Models:${plan}`,
)
const DEFAULT = 'AI:Models:Default'
const EMBEDDING = 'AI:Embeddings:Model'
const OFFLINE = 'offline'

export function disagreements(read: Lookup): SettingFault[] {
  return [
    ...unaddressed(read),
    ...unnamed(read),
    ...unpriced(read),
    ...unembedded(read),
    ...forgetful(read),
    ...forgottenEarly(read),
  ]
}

const CEILINGS = ['GlobalDailyCapUsd', 'GlobalMonthlyCapUsd', 'OrgDailyCapUsd', 'OrgMonthlyCapUsd']

/** By default nothing bounds what models cost, so whoever did not decide it is told at the start. */
export function cautions(read: Lookup): SettingWarning[] {
  if (read('Environment') !== 'Production' || read('AI:Provider:Kind') === OFFLINE) return []
  if (CEILINGS.some((name) => Number(read(`AI:Budget:${name}`)) > 0)) return []
  const dear = [DEFAULT, ...PLANS, EMBEDDING].map(read).find((model) => typeof model === 'string' && costs(read, model))
  if (dear === undefined) return []
  const setting = 'AI:Budget:GlobalDailyCapUsd'
  const message = `${setting} is 0, and so are the other ceilings: what ${dear} costs has no ceiling. Set one of ${CEILINGS.join(', ')} in AI:Budget, in US dollars.`
  return [{ setting, message }]
}

function costs(read: Lookup, model: string): boolean {
  // The value of this setting is what its shape makes of it.
  const prices = read('AI:Prices') as PriceTable | undefined
  const price = prices?.get(model.toLowerCase())
  return price !== undefined && price.inputMicros + (price.outputMicros ?? 0) > 0
}

function forgetful(read: Lookup): SettingFault[] {
  const [setting, summarised] = ['AI:Memory:RecentExchanges', 'AI:Memory:SummarizeAfterExchanges']
  const recent = Number(read(setting))
  if (recent < Number(read(summarised))) return []
  const message = `${setting} is ${recent}. It must be less than ${summarised}, because exchanges shown word for word are not summarised.`
  return [{ setting, message }]
}

/** Each with what would still ask for what is gone. 0 keeps everything. */
const LEAST_DAYS = [
  ['AI:Usage:TurnDays', 400, 'outcomes of a whole year count its conversations from them'],
  ['AI:Usage:LedgerDays', 62, 'a row that is sent again from a file must still be known'],
] as const

function forgottenEarly(read: Lookup): SettingFault[] {
  const early = LEAST_DAYS.flatMap(([setting, least, why]) => {
    const days = Number(read(setting))
    if (days === 0 || days >= least) return []
    return [
      { setting, message: `${setting} is ${days}. Set it to ${least} or more, because ${why}, or to 0 to keep all.` },
    ]
  })
  const [listed, bodies] = ['Events:DeliveryDays', 'Events:UndeliveredDays']
  if (Number(read(listed)) >= Number(read(bodies))) return early
  const message = `${listed} is ${read(listed)}. It must not be less than ${bodies} (${read(bodies)}), because an event is sent again from the list of deliveries.`
  return [...early, { setting: listed, message }]
}

function unaddressed(read: Lookup): SettingFault[] {
  const kind = read('AI:Provider:Kind')
  if (kind === 'openai-compatible' && read('AI:Provider:BaseUrl') === undefined) {
    const message = 'AI:Provider:BaseUrl is missing. Set it to the address of the provider, without /chat/completions.'
    return [{ setting: 'AI:Provider:BaseUrl', message }]
  }
  const isMaker = kind === 'openai' || kind === 'anthropic' || kind === 'google'
  if (!isMaker || (read('AI:Provider:ApiKey') ?? '') !== '') return []
  const message = `AI:Provider:ApiKey is missing. Set it to the key that ${kind} gave you, because AI:Provider:Kind is ${kind}.`
  return [{ setting: 'AI:Provider:ApiKey', message }]
}

function unnamed(read: Lookup): SettingFault[] {
  const kind = read('AI:Provider:Kind')
  if (kind === OFFLINE || kind === undefined || read(DEFAULT) !== undefined) return []
  if (PLANS.every((name) => read(name) !== undefined)) return []
  return [{ setting: DEFAULT, message: `${DEFAULT} is missing. Set it to the name of the model to ask ${kind} for.` }]
}

/** How a price reaches us whose name no variable of a shell can have. */
const whereOf = (model: string, it: string): string =>
  /^\w+$/.test(model)
    ? ''
    : ` Put ${it} into the file that CONFIG_FILE names: npm start, and whatever else runs through Debian’s sh, drops a variable whose name holds a hyphen.`

function unpriced(read: Lookup): SettingFault[] {
  // The value of this setting is what its shape makes of it.
  const prices = read('AI:Prices') as PriceTable | undefined
  const isPriced = (model: string) => (prices?.get(model.toLowerCase())?.outputMicros ?? null) !== null
  return [DEFAULT, ...PLANS].flatMap((setting) => {
    const model = read(setting)
    if (typeof model !== 'string' || model === OFFLINE || isPriced(model)) return []
    const message = `${setting} names ${model}, which has no price. Set AI:Prices:${model}:InputPerMillion and AI:Prices:${model}:OutputPerMillion in US dollars per million tokens (0 if it costs nothing).${whereOf(model, 'them')}`
    return [{ setting, message }]
  })
}

/** A model of embeddings without which, or with less than which, nothing could be embedded. */
function unembedded(read: Lookup): SettingFault[] {
  const [address, key] = ['AI:Embeddings:BaseUrl', 'AI:Embeddings:ApiKey']
  const model = read(EMBEDDING)
  if (typeof model !== 'string') {
    if (read(address) === undefined) return []
    const message = `${EMBEDDING} is missing. Set it to the name of the model to ask ${address} for, or remove ${address}.`
    return [{ setting: EMBEDDING, message }]
  }
  const kind = read('AI:Embeddings:Kind')
  const faults: SettingFault[] = []
  if (kind === 'openai-compatible' && read(address) === undefined) {
    const message = `${address} is missing. Set it to the address of the provider of ${model}, without /embeddings.`
    faults.push({ setting: address, message })
  }
  if (kind !== 'openai-compatible' && (read(key) ?? '') === '') {
    const message = `${key} is missing. Set it to the key that ${String(kind)} gave you, because ${EMBEDDING} is set.`
    faults.push({ setting: key, message })
  }
  const prices = read('AI:Prices') as PriceTable | undefined
  if (prices?.has(model.toLowerCase()) !== true) {
    const message = `${EMBEDDING} names ${model}, which has no price. Set AI:Prices:${model}:InputPerMillion in US dollars per million tokens (0 if it costs nothing).${whereOf(model, 'it')}`
    faults.push({ setting: EMBEDDING, message })
  }
  return faults
}
