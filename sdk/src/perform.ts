// One write, once: the key is claimed, the work is done, the answer is remembered, and what came second gets the same answer.
import type { Call } from './call.ts'
import {
  type Claimed,
  type ClaimedWrite,
  type Claims,
  type ClaimTerms,
  NothingApplied,
  nothingApplied,
} from './claims.ts'
import { IN_FLIGHT, json, later, Refusal, type Reply, replyOf, TryLater } from './reply.ts'
import { notApplied, type SomeTool } from './tools.ts'

export type Performing = {
  readonly claims: Claims<unknown>
  readonly leaseMs: number
  /** Told of whatever nobody expected. */
  readonly failed: (error: unknown) => void
}

export const BROKEN = json(500, { status: 'error', message: 'The tool failed. The log of its server has the reason.' })
const AGAIN = 'Nothing was applied. It can be sent again.'
const REMEMBER_WAITS_MS = [50, 200, 800]

/** What a tool returned or threw, as an answer, if it is one. */
export async function run(work: () => unknown): Promise<Reply> {
  try {
    return replyOf(await work())
  } catch (error) {
    if (error instanceof Refusal) return error.reply
    throw error
  }
}

export async function performOnce(tool: SomeTool, call: Call, performing: Performing): Promise<Reply> {
  try {
    if (typeof tool === 'object' && 'transaction' in tool)
      return await inTransaction(tool.transaction.bind(tool), call, performing)
    return await underClaim(tool, call, performing)
  } catch (error) {
    if (error instanceof TryLater) return later(error.message)
    if (error instanceof NothingApplied && error.cause instanceof TryLater) return later(error.cause.message)
    performing.failed(error instanceof NothingApplied ? error.cause : error)
    return error instanceof NothingApplied ? later(AGAIN) : BROKEN
  }
}

async function inTransaction(
  work: (call: Call, transaction: unknown) => unknown,
  call: Call,
  { claims }: Performing,
): Promise<Reply> {
  if (claims.transaction === undefined) throw new TypeError('These claims have no transactions.')
  const done = await claims.transaction(
    call.request_id,
    (transaction) => atOnce(() => work(call, transaction)),
    writeOf(call),
  )
  return done === 'in_flight' ? IN_FLIGHT : done
}

/** As `run`, but without a wait where the work has none. */
function atOnce(work: () => unknown): Reply | Promise<Reply> {
  try {
    const value = work()
    return value instanceof Promise ? run(() => value) : replyOf(value)
  } catch (error) {
    if (error instanceof Refusal) return error.reply
    throw error
  }
}

const writeOf = ({ tenant, tool }: Call): ClaimedWrite => ({ tenantId: tenant.organization_id, tool })

type Claimable = Exclude<SomeTool, { transaction: unknown }>

async function underClaim(tool: Claimable, call: Call, performing: Performing): Promise<Reply> {
  const { claims, leaseMs } = performing
  const key = call.request_id
  const holder = newHolder()
  const [perform, recover] =
    typeof tool === 'function' ? [tool, undefined] : [tool.perform.bind(tool), tool.recover.bind(tool)]
  const claimed = await claimFor(claims, key, {
    holder,
    leaseMs,
    takeOver: recover !== undefined,
    write: writeOf(call),
  })
  if (typeof claimed === 'object') return claimed.answered
  if (claimed === 'in_flight') return IN_FLIGHT
  let isUnknown = claimed === 'taken_over'
  try {
    const reply = await run(async () => {
      const found = isUnknown && recover !== undefined ? await recover(call) : notApplied
      if (found !== notApplied) return found
      isUnknown = false
      return await perform(call)
    })
    await remember(performing, key, holder, reply)
    return reply
  } catch (error) {
    // What it did before it failed is not known, unless it says so itself and nobody was here before.
    const isFree = error instanceof TryLater && !isUnknown
    await (isFree ? claims.release(key, holder) : claims.abandon(key, holder)).catch(performing.failed)
    throw error
  }
}

/** Nothing has been done before the claim. A store whose answer was lost may have one all the same, and nobody holds it. */
async function claimFor(claims: Claims<unknown>, key: string, terms: ClaimTerms): Promise<Claimed> {
  try {
    return await claims.claim(key, terms)
  } catch (cause) {
    const { holder, takeOver } = terms
    await (takeOver ? claims.abandon(key, holder) : claims.release(key, holder)).catch(() => undefined)
    throw nothingApplied(cause)
  }
}

/**
 * The write is performed by now, and that is what is answered even if the store cannot be told: the claim stays, so nobody performs
 * it again.
 */
async function remember({ claims, failed }: Performing, key: string, holder: string, reply: Reply): Promise<void> {
  for (const wait of [...REMEMBER_WAITS_MS, null]) {
    try {
      await claims.answer(key, holder, reply)
      return
    } catch (error) {
      if (wait === null) failed(error)
      else await new Promise((resolve) => setTimeout(resolve, wait))
    }
  }
}

let holders = 0
const here = Math.random().toString(36).slice(2)
/** Nobody has to guess it; no two claims may have the same. */
export const newHolder = (): string => `${here}-${Date.now().toString(36)}-${(holders++).toString(36)}`
