// Stands in for the business: reads answer what the case gives, and writes become proposals that are written down nowhere.

import { newUuid } from '../../kernel/ids/index.ts'
import { type Json, type JsonObject, member, stringifyJson } from '../../kernel/json/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import { attemptOf, type Calls, faultOfRequest, onBehalfOf, type ReadResult } from '../../tools/calls/index.ts'
import type { Tool } from '../../tools/catalog/index.ts'
import { type Staged, type StageInput, unmetPrecondition } from '../../writes/actions/index.ts'
import { summaryOf } from '../../writes/writes/index.ts'

type PretendBusiness = {
  readonly read: Calls['read']
  readonly faultOf: Calls['faultOf']
  stage(ctx: Context, input: StageInput): Promise<Staged>
}

export function pretendBusiness(results: JsonObject): PretendBusiness {
  const proposed = new Map<string, Promise<Staged>>()
  const read: Calls['read'] = async (ctx, { tool }) => ({
    ...answered(ctx, tool, member(results, tool.name)),
    durationMs: 0,
  })
  return {
    read,
    // A trial calls no API, so there is no credential to read.
    faultOf: (ctx, tool, given) => faultOfRequest(ctx, async () => null, tool, given),
    stage(ctx, input) {
      const key = input.stageKey ?? ''
      const staged = proposed.get(key) ?? propose(ctx, read, input)
      proposed.set(key, staged)
      return staged
    },
  }
}

type Answered = ReadResult extends infer Result ? (Result extends unknown ? Omit<Result, 'durationMs'> : never) : never

/** As if the endpoint had answered 200 with it, held to the same bound and read for the same meaning. */
function answered({ clock, settings }: Context, tool: Tool, value: Json | undefined): Answered {
  if (value === undefined) {
    return { status: 'not_configured', message: `The case gives no result for "${tool.name}".`, lastStatus: null }
  }
  const body = Buffer.from(stringifyJson(value))
  const most = settings.toolTransport.maxResponseBytes
  if (body.length > most) {
    const message = `The result of the case has ${body.length} bytes, and ${most} is the most.`
    return { status: 'response_too_large', message, lastStatus: null }
  }
  const attempt = attemptOf({ kind: 'answered', status: 200, headers: {}, body }, clock.now())
  const { notFound } = attempt
  if (attempt.ok) return { status: 'ok', body, value: attempt.value, notFound }
  return { status: attempt.status, message: attempt.message, lastStatus: null, notFound }
}

/** What a staging does up to the point at which it would write: the read of the precondition, and the words of the proposal. */
async function propose(ctx: Context, read: Calls['read'], input: StageInput): Promise<Staged> {
  const { tool, arguments: given, catalog } = input
  const { asking, clock, settings } = ctx
  const reading = { tool, arguments: given, onBehalf: onBehalfOf(asking), sessionId: null }
  const unmet = await unmetPrecondition(ctx, { read }, catalog, reading)
  if (unmet !== null) return unmet
  const summary = summaryOf(tool, given)
  const expiresAt = new Date(clock.now() + settings.ai.approvals.expiry[tool.risk])
  // The id belongs to no action, and no token was minted: there is nothing that a confirm could find.
  return { kind: 'staged', tool, arguments: given, actionId: newUuid(clock.now()), token: '', expiresAt, summary }
}
