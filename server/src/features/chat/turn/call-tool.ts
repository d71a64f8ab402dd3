import { createHash } from 'node:crypto'
import type { CalledTool, Handoff, Proposal, ToolStatus } from '@tether/contract'
import {
  canonicalText,
  isObject,
  type Json,
  type JsonObject,
  parseJson,
  stringifyJson,
} from '../../../foundation/json/index.ts'
import type { ModelCall } from '../../../foundation/model/index.ts'
import { titleOf } from '../../actions/index.ts'
import type { ReadResult } from '../../calls/index.ts'
import { checkArguments, reservedName, type Tool, trimResult } from '../../catalog/index.ts'
import { HANDOFF } from './offer.ts'
import type { Turn, TurnParts } from './turn.ts'

/** What one call of the model came to: what the model is told, and what the caller is told. */
export type Called = {
  readonly call: ModelCall
  readonly told: CalledTool
  /** For the model; it stands in an envelope. */
  readonly text: string
  readonly proposal: Proposal | null
  readonly handoff: Handoff | null
  /** The business was asked, and answered. */
  readonly isAnswered: boolean
}

type Done = Pick<Called, 'text'> & Partial<Omit<Called, 'call' | 'told'>> & { readonly status: ToolStatus }

const said = (status: ToolStatus, text: string): Done => ({ status, text })

/** Only what the frozen catalog has and this kind of turn may use is called; a write is staged, and never called. */
export async function callTool(parts: TurnParts, turn: Turn, call: ModelCall, signal: AbortSignal): Promise<Called> {
  const started = performance.now()
  const done = await perform(parts, turn, call, signal)
  const durationMs = Math.round(performance.now() - started)
  const { status, text, proposal = null, handoff = null, isAnswered = false } = done
  return { call, told: { tool: call.name.slice(0, 64), status, durationMs }, text, proposal, handoff, isAnswered }
}

async function perform(parts: TurnParts, turn: Turn, call: ModelCall, signal: AbortSignal): Promise<Done> {
  const given = readArguments(call.arguments)
  if (call.name === reservedName && turn.surface !== 'insights') return await handOver(parts, turn, given)
  const tool = turn.catalog.find(call.name)
  if (tool === undefined || !turn.offering.allowed.has(tool)) {
    return said('unknown_tool', 'There is no such tool in this conversation. Use only the tools that you were given.')
  }
  if (given === undefined) return said('failed', 'The arguments are not a JSON object. Nothing was called.')
  const checked = checkArguments(tool, given)
  if (!checked.ok) return said('failed', `${checked.message} Nothing was called.`)
  if (tool.requiresCustomer && turn.ctx.asking.customer === null) {
    return said(
      'customer_required',
      'Nothing was called. Ask the person to sign in first; this needs to know who they are.',
    )
  }
  if (tool.isWrite) return await propose(parts, turn, tool, given)
  const input = { tool, arguments: given, surface: turn.surface, sessionId: turn.sessionId }
  return answered(turn, tool, await parts.read(turn.ctx, input, signal))
}

function readArguments(text: string): JsonObject | undefined {
  if (text.trim() === '') return {}
  try {
    const value = parseJson(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function answered({ limits }: Turn, tool: Tool, result: ReadResult): Done {
  const { status } = result
  if (result.status !== 'ok') {
    const last = result.lastStatus === null ? '' : ` (${result.lastStatus})`
    return said(status, `${result.message}${last}`)
  }
  const { value, notice } =
    tool.result === null ? { value: result.value, notice: null } : trimResult(result.value, tool.result)
  const whole = stringifyJson(value)
  const cut = whole.length > limits.toolResultChars
  const text = cut ? whole.slice(0, limits.toolResultChars) : whole
  const notices = [
    notice,
    cut ? `Only the first ${limits.toolResultChars} of ${whole.length} characters are shown.` : null,
  ]
  return { status, text: [text, ...notices.filter((one) => one !== null)].join('\n'), isAnswered: true }
}

/** The same write asked for twice in one turn is one proposal. */
const proposalKeyOf = ({ requestId }: Turn, tool: Tool, given: JsonObject): string =>
  `turn:${requestId}:${createHash('sha256')
    .update(`${tool.name}\n${canonicalText(given)}`)
    .digest('hex')
    .slice(0, 32)}`

// Signs that turn what stands after them: whoever is asked to confirm would read another amount, name or address.
const TURNS = /[\u202a-\u202e\u2066-\u2069]/

async function propose(parts: TurnParts, turn: Turn, tool: Tool, given: JsonObject): Promise<Done> {
  const { ctx, catalog, source, sessionId } = turn
  if (TURNS.test(stringifyJson(given)))
    return said('failed', 'The arguments hold signs that turn the order of a text. Leave them out. Nothing was staged.')
  const stageKey = proposalKeyOf(turn, tool, given)
  const receiver = await parts.tokenFor(ctx, tool, given)
  const selfConfirm = receiver === 'customer'
  const staged = await parts.stage(ctx, { tool, arguments: given, catalog, source, sessionId, stageKey, selfConfirm })
  if (staged.kind !== 'staged') {
    const result = staged.checked.kind === 'unreadable' ? '' : ` The check saw: ${stringifyJson(staged.checked.result)}`
    return said(
      staged.kind,
      `${staged.checked.reason} Nothing was staged.${result}`.slice(0, turn.limits.toolResultChars),
    )
  }
  const { actionId, expiresAt, summary, token } = staged
  const proposal: Proposal = {
    actionId,
    tool: tool.name,
    title: titleOf(tool.name),
    summary,
    risk: tool.risk,
    arguments: given,
    expiresAt: expiresAt.toISOString(),
    ...(receiver === 'nobody' ? {} : { confirmationToken: token }),
  }
  const text = `Proposed, not done: "${summary}". It waits for a person to confirm it until ${proposal.expiresAt}. Say so, and never that it is done.`
  return { status: 'staged', text, proposal }
}

/** For the business's own server, which may keep it where neither a NUL nor half a character can stand. */
const told = (text: Json | undefined, most: number): string =>
  String(text).slice(0, most).replaceAll('\u0000', '').toWellFormed()

async function handOver(parts: TurnParts, turn: Turn, given: JsonObject | undefined): Promise<Done> {
  const checked = checkArguments({ parameters: HANDOFF_PARAMETERS }, given ?? null)
  if (given === undefined || !checked.ok)
    return said('failed', `${checked.ok ? '' : checked.message} Nothing was handed over.`)
  const handoff: Handoff = {
    trigger: given.asked_by_visitor === true ? 'visitor' : 'assistant',
    reason: told(given.reason, 1000),
    summary: told(given.summary, 4000),
  }
  await parts.handOver(turn.ctx, { sessionId: turn.sessionId, requestId: turn.requestId, handoff })
  return { status: 'ok', text: 'A person has been told and will go on from here. Say so to the visitor.', handoff }
}

// The declaration above is JSON of our own.
const HANDOFF_PARAMETERS = HANDOFF.parameters as JsonObject
