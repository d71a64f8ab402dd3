import type { Context, House } from '../../../tenancy/context/index.ts'
import { ruleList } from '../../../writes/writes/index.ts'
import type { Moderation } from '../turn/ports.ts'

/** Finds the categories of a text, each with the principle that a refusal states. */
export type Classifier = {
  classify(
    text: string,
    signal: AbortSignal,
  ): Promise<readonly { readonly category: string; readonly principle: string }[]>
}

/**
 * Asks a classifier if this tenant has one. It fails open, because an unavailable classifier must not silence a
 * business.
 */
export function openModeration({ settings, log }: Pick<House, 'settings' | 'log'>, classifier: Classifier): Moderation {
  const rules = settings.ai.safety.moderation
  const isOn = ({ asking }: Context): boolean => {
    if (!rules.enabled) return false
    if (asking.terms.moderation !== 'default') return asking.terms.moderation === 'on'
    return rules.defaultForManagedPlans && asking.plan !== 'bring_your_ai'
  }
  return {
    async principleAgainst(ctx, prompt, signal) {
      if (!isOn(ctx)) return null
      const { requestId, tenantId } = ctx.asking
      try {
        const limit = AbortSignal.any([signal, AbortSignal.timeout(rules.timeoutSeconds * 1000)])
        const found = await inTime(classifier.classify(prompt, limit), limit)
        return found.find(({ category }) => rules.prohibitedCategories.includes(category))?.principle ?? null
      } catch (error) {
        signal.throwIfAborted()
        log.warn({ error, requestId, tenantId }, 'The moderation classifier failed, so the prompt is answered.')
        return null
      }
    },
  }
}

function inTime<Result>(work: Promise<Result>, limit: AbortSignal): Promise<Result> {
  if (limit.aborted) return Promise.reject(limit.reason)
  const { promise, reject } = Promise.withResolvers<never>()
  limit.addEventListener('abort', () => reject(limit.reason), { once: true })
  return Promise.race([work, promise])
}

/** Writes on the list of what is never run are not answered either, so that list is a classifier with one category. */
export const fixedList: Classifier = {
  async classify(text) {
    const principle = await ruleList.forbids({ tool: '', summary: text, argumentsText: '' })
    return principle === null ? [] : [{ category: 'minors', principle }]
  },
}
