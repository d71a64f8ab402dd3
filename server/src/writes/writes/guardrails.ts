import type { Risk } from '@tether/contract'
import type { JsonObject } from '../../kernel/json/index.ts'
import type { Settings } from '../../kernel/settings/index.ts'
import type { Tool } from '../../tools/catalog/index.ts'
import { worthOf } from './payload.ts'

const RANK: Readonly<Record<Risk, number>> = { low: 0, elevated: 1, high: 2 }

/** The stricter of the staged risk and the one that the catalog declares now. */
export const strictest = (staged: Risk, now: Risk): Risk => (RANK[staged] >= RANK[now] ? staged : now)

/** Why the approver must acknowledge this write, in words for them; null when they need not. */
export function mustAcknowledge(
  settings: Settings,
  tool: Tool,
  staged: { risk: Risk; arguments: JsonObject; value: string | null },
): string | null {
  const { enabled, highValueThreshold } = settings.ai.actionGuardrails
  if (!enabled) return null
  const risk = strictest(staged.risk, tool.risk)
  if (risk !== 'low') return `This is a write of ${risk} risk.`
  if (highValueThreshold === 0) return null
  const value = worthOf(tool, staged.arguments)
  if (value.kind === 'unreadable') return `The value of this write (\`${tool.valueFrom}\`) cannot be read.`
  if (value.kind === 'number' && Math.abs(value.amount) >= highValueThreshold)
    return `The value of this write is ${value.text}.`
  // The tool may name another argument by now, or none.
  if (staged.value !== null && Math.abs(Number(staged.value)) >= highValueThreshold)
    return `The value of this write was ${staged.value} when it was staged.`
  return null
}
