// What a policy in shadow says of a decision, beside what the one in force says. It is judged from the same grounds, as of the same
// moment, and whatever goes wrong with it stays here: no decision changes or fails because of it.

import { stringifyJson } from '../../kernel/json/index.ts'
import { type Context, type Decider, personOfCredential } from '../../tenancy/context/index.ts'
import type { Approves, Barred } from './judge.ts'
import { mostDifferences } from './limits.ts'
import { type Decision, recordDecision } from './shadow-queries.ts'

export type Verdict = {
  readonly status: 'Allowed' | 'AwaitingApprovers' | Barred['status']
  /** How many different people must approve, and how many have; null for a no, which one person says. */
  readonly required: number | null
  readonly received: number | null
  /** Why somebody may not decide. */
  readonly message: string | null
}

/** Both verdicts on one decision. */
export type Tried = {
  /** Of the policy in shadow. */
  readonly version: number
  readonly policyVersion: number
  readonly live: Verdict
  readonly shadow: Verdict
}

export type Judged = Approves | Barred | (Decider & { readonly ok: true })

export const verdictOf = (judged: Judged): Verdict => {
  if (!judged.ok) return { status: judged.status, required: null, received: null, message: judged.message }
  if (!('required' in judged)) return { status: 'Allowed', required: null, received: null, message: null }
  const { required, received } = judged
  return { status: received >= required ? 'Allowed' : 'AwaitingApprovers', required, received, message: null }
}

/**
 * Writes down what the policy in force says of a decision on a write that waits, and what the one in shadow says. Null where none is
 * tried. It comes before the write is decided.
 */
export async function recordTried(
  ctx: Context,
  tried: Tried | null,
  actionId: string,
  decision: Decision,
): Promise<void> {
  if (tried === null) return
  const { version, policyVersion, live, shadow } = tried
  const { tenantId, actor } = ctx.asking
  try {
    await ctx.db.run(recordDecision, {
      tenantId,
      version,
      differs: live.status !== shadow.status,
      keep: mostDifferences,
      actionId,
      decision,
      userId: actor.userId ?? 0,
      personId: personOfCredential(actor),
      policyVersion,
      live: stringifyJson(live),
      shadow: stringifyJson(shadow),
    })
  } catch (error) {
    ctx.log.warn({ error, tenantId, actionId }, 'What a policy in shadow says could not be kept.')
  }
}
