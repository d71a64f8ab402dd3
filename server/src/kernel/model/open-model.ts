import type { ClosableModel, ModelPart, ModelRequest } from './port.ts'
import { type Price, type Prices, priceOf } from './prices.ts'

/** The part of `settings.ai` that is about models. */
export type ModelSettings = {
  readonly provider: {
    readonly kind: 'offline' | 'openai-compatible' | 'openai' | 'anthropic' | 'google'
    readonly baseUrl: string | undefined
    readonly apiKey: string | undefined
    readonly timeoutSeconds: number
    readonly silenceSeconds: number
  }
  readonly models: Readonly<Record<'default' | PlanKey, string | undefined>>
  readonly prices: Prices
}

type PlanKey = 'free' | 'bring_your_ai' | 'use_tether_ai' | 'starter' | 'growth' | 'enterprise'

type ProviderSettings = Omit<ModelSettings['provider'], 'kind'> & {
  readonly kind: Exclude<ModelSettings['provider']['kind'], 'offline'>
}

/** A model that a provider runs. */
export function openModel(provider: ProviderSettings, now: () => number): ClosableModel {
  const { kind, baseUrl, apiKey, timeoutSeconds, silenceSeconds } = provider
  const limits = { totalMs: timeoutSeconds * 1000, silenceMs: silenceSeconds * 1000, now }
  if (kind === 'openai-compatible') {
    if (baseUrl === undefined) throw new Error('AI:Provider:BaseUrl is missing. Set it to the address of the provider.')
    return openedLate(kind, async () => {
      const { openChatCompletions } = await import('./chat-completions/open.ts')
      return openChatCompletions({ ...limits, baseUrl, apiKey })
    })
  }
  if (apiKey === undefined) throw new Error('AI:Provider:ApiKey is missing. Set it to a key of the provider.')
  return openedLate(kind, async () => {
    const { openAiSdk } = await import('./ai-sdk/open.ts')
    return openAiSdk({ ...limits, kind, baseUrl, apiKey })
  })
}

/** Loads what speaks to a provider with the first question, and never if the settings do not name it. */
function openedLate(kind: string, open: () => Promise<ClosableModel>): ClosableModel {
  let opened: Promise<ClosableModel> | undefined
  return {
    kind,
    async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelPart> {
      opened ??= open()
      yield* (await opened).stream(request, signal)
    },
    close: async () => (await opened)?.close(),
  }
}

/** The model for a plan's turns; `offline` if no model is set up. */
export function modelOf({ provider, models }: Pick<ModelSettings, 'provider' | 'models'>, plan: string): string {
  if (provider.kind === 'offline') return 'offline'
  const named = Object.entries(models).find(([key]) => key === plan.toLowerCase())?.[1] ?? models.default
  if (named === undefined) throw new Error('AI:Models:Default is missing. Set it to the name of a model.')
  return named
}

/** The model and price of each plan. All plans share one set of connections. */
type ModelsByPlan = {
  of(plan: string): { readonly model: ClosableModel; readonly name: string; readonly price: Price }
  close(): Promise<void>
}

/** The settings decide who answers: a provider's model, or the offline responder if none is set up. */
export function openModels(settings: ModelSettings, offline: ClosableModel, now: () => number): ModelsByPlan {
  const { kind, ...provider } = settings.provider
  const model = kind === 'offline' ? offline : openModel({ ...provider, kind }, now)
  return {
    of(plan) {
      const name = modelOf(settings, plan)
      return { model, name, price: priceOf(settings.prices, name) }
    },
    close: () => model.close(),
  }
}
