import { createHash } from 'node:crypto'
import type { CalledTool, Handoff, Proposal, ToolStatus } from '@tether/contract'
import { canonicalText, isObject, type JsonObject, parseJson, stringifyJson } from '../../../kernel/json/index.ts'
import type { ModelCall } from '../../../kernel/model/index.ts'
import type { ReadResult } from '../../../tools/calls/index.ts'
import { argumentsFit, argumentsTooLarge, checkArguments, type Tool, trimResult } from '../../../tools/catalog/index.ts'
import type { Staged } from '../../../writes/actions/index.ts'
import { reversesText } from '../../../writes/writes/index.ts'
import { HANDOFF, handOver } from '../../handoffs/index.ts'
import { proposalFor, takeBack, tellProposal, WITHDRAW } from '../../proposals/index.ts'
import type { Turn, TurnParts } from './turn.ts'

/** The result of one call of the model: for the model, and for the caller. */
export type Called = {
  readonly call: ModelCall
  readonly report: CalledTool
  /** The model reads it inside an envelope. */
  readonly text: string
  readonly proposal: Proposal | null
  readonly handoff: Handoff | null
  /** True if we called the business and it answered. */
  readonly isAnswered: boolean
}

type CallResult = Pick<Called, 'text'> &
  Partial<Omit<Called, 'call'>> & {
    readonly status: ToolStatus
    /** The status of a call that was neither sent nor staged. */
    readonly unsent?: Exclude<ToolStatus, 'ok'>
  }

const unsent = (status: Exclude<ToolStatus, 'ok'>, text: string): CallResult => ({ status, text, unsent: status })

/**
 * Calls only a tool that the frozen catalog has and this kind of turn may use. It stages a write and never calls it.
 */
export async function callTool(parts: TurnParts, turn: Turn, call: ModelCall, signal: AbortSignal): Promise<Called> {
  const started = performance.now()
  const done = await perform(parts, turn, call, signal)
  const durationMs = Math.round(performance.now() - started)
  const { status, text, proposal = null, handoff = null, isAnswered = false } = done
  if (done.unsent !== undefined) {
    const tool = turn.catalog.find(call.name) ?? call.name
    parts.note(turn.ctx, { tool, surface: turn.surface, status: done.unsent, durationMs })
  }
  return { call, report: { tool: call.name.slice(0, 64), status, durationMs }, text, proposal, handoff, isAnswered }
}

async function perform(parts: TurnParts, turn: Turn, call: ModelCall, signal: AbortSignal): Promise<CallResult> {
  const given = parseArguments(call.arguments)
  if (call.name === HANDOFF.name && turn.surface !== 'insights') return await handOver(parts, turn, given)
  if (call.name === WITHDRAW.name && turn.offering.offered.includes(WITHDRAW)) return await takeBack(parts, turn)
  const tool = turn.catalog.find(call.name)
  if (tool === undefined || !turn.offering.allowed.has(tool)) {
    return unsent('unknown_tool', 'There is no such tool in this conversation. Use only the tools that you were given.')
  }
  if (given === undefined) return unsent('failed', 'The arguments are not a JSON object. Nothing was called.')
  const { argumentBytes } = turn.limits
  if (!argumentsFit(given, argumentBytes))
    return unsent('failed', `${argumentsTooLarge(argumentBytes)} Nothing was called.`)
  const checked = checkArguments(tool, given)
  if (!checked.ok) return unsent('failed', `${checked.message} Nothing was called.`)
  const fault = await parts.faultOf(turn.ctx, tool, given)
  if (fault !== null) return unsent('failed', `${fault} Nothing was called.`)
  if (tool.requiresCustomer && turn.ctx.asking.customer === null) {
    return unsent(
      'customer_required',
      'Nothing was called. Ask the person to sign in first, because this tool needs to know who they are.',
    )
  }
  if (tool.isWrite) return await propose(parts, turn, tool, given)
  const input = { tool, arguments: given, surface: turn.surface, sessionId: turn.sessionId }
  return fromRead(turn, tool, await parts.read(turn.ctx, input, signal))
}

function parseArguments(text: string): JsonObject | undefined {
  if (text.trim() === '') return {}
  try {
    const value = parseJson(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function fromRead(turn: Turn, tool: Tool, result: ReadResult): CallResult {
  const text = tellRead(turn, tool, result)
  return { status: result.status, text, isAnswered: result.status === 'ok' || result.notFound !== undefined }
}

/** A turn that asks for the same write twice makes one proposal. */
const proposalKeyOf = ({ requestId }: Turn, tool: Tool, given: JsonObject): string =>
  `turn:${requestId}:${createHash('sha256')
    .update(`${tool.name}\n${canonicalText(given)}`)
    .digest('hex')
    .slice(0, 32)}`

async function propose(parts: TurnParts, turn: Turn, tool: Tool, given: JsonObject): Promise<CallResult> {
  const { ctx, catalog, source, sessionId } = turn
  if (reversesText(given))
    return unsent(
      'failed',
      'The arguments contain characters that reverse the order of text. Leave them out. Nothing was staged.',
    )
  const stageKey = proposalKeyOf(turn, tool, given)
  const receiver = await parts.tokenFor(ctx, tool, given)
  const selfConfirm = receiver === 'customer'
  const staged = await parts.stage(ctx, { tool, arguments: given, catalog, source, sessionId, stageKey, selfConfirm })
  if (staged.kind === 'full') return unsent('failed', `${staged.message} Nothing was staged.`)
  if (staged.kind !== 'staged') return unsent(staged.kind, tellUnmet(turn, staged))
  const proposal = proposalFor(staged, turn.language, receiver !== 'nobody')
  return { status: 'staged', text: tellProposal(proposal), proposal }
}

// What the model is told of a call's result. A model may repeat whatever it reads. So in a turn for the visitor of a page it reads
// nothing that is meant for the business alone: why a call failed, and what a check saw.

const isForVisitor = ({ ctx }: Turn): boolean => ctx.asking.kind === 'publishable' || ctx.asking.kind === 'sandbox'

const NO_ANSWER = 'The answer is not available at the moment. Tell the visitor so, and suggest trying again later.'

const SIGN_IN =
  'Nothing was called, because this tool reads the visitor’s own account. Ask the visitor to sign in first.'

function tellRead(turn: Turn, tool: Tool, result: ReadResult): string {
  if (result.notFound !== undefined) return tellNotFound(result.notFound)
  if (result.status === 'ok') return tellValue(turn, tool, result)
  if (result.status === 'user_token_required') return SIGN_IN
  if (isForVisitor(turn)) return NO_ANSWER
  const last = result.lastStatus === null ? '' : ` (${result.lastStatus})`
  return `${result.message}${last}`
}

/** The words come last, because they are the business's own and may say anything. */
const tellNotFound = ({ words }: { readonly words: string }): string =>
  words === '' ? 'Not found.' : `Not found. ${words}`

function tellValue({ limits }: Turn, tool: Tool, result: Extract<ReadResult, { status: 'ok' }>): string {
  const { value, notice } =
    tool.result === null ? { value: result.value, notice: null } : trimResult(result.value, tool.result)
  const whole = stringifyJson(value)
  const cut = whole.length > limits.toolResultChars
  const text = cut ? whole.slice(0, limits.toolResultChars) : whole
  const notices = [
    notice,
    result.nextPage ?? null,
    cut ? `Only the first ${limits.toolResultChars} of ${whole.length} characters are shown.` : null,
  ]
  return [text, ...notices.filter((one) => one !== null)].join('\n')
}

const UNMET = {
  precondition_failed: 'Nothing was staged. The change is not possible in the current state of the record.',
  precondition_error: 'Nothing was staged. We could not check whether the change is possible. It may work later.',
} as const

function tellUnmet(turn: Turn, { kind, checked }: Exclude<Staged, { kind: 'staged' | 'full' }>): string {
  if (isForVisitor(turn)) {
    return checked.notFound === undefined ? UNMET[kind] : `Nothing was staged. ${tellNotFound(checked.notFound)}`
  }
  const result = checked.kind === 'unreadable' ? '' : ` The check saw: ${stringifyJson(checked.result)}`
  return `${checked.reason} Nothing was staged.${result}`.slice(0, turn.limits.toolResultChars)
}

/** How one piece of work ended. No promise rejects, so that none can fail unhandled while we await another. */
type Ended<Result> = { readonly ok: true; readonly value: Result } | { readonly ok: false; readonly error: unknown }

/**
 * Starts work on every item in order, at most `limit` at a time, and returns their promises in that order. Once the
 * signal aborts, nothing more starts.
 */
export function startInOrder<Item, Result>(
  items: readonly Item[],
  limit: number,
  signal: AbortSignal,
  work: (item: Item) => Promise<Result>,
): Promise<Ended<Result>>[] {
  const ended = items.map(() => Promise.withResolvers<Ended<Result>>())
  let next = 0
  const lane = async () => {
    for (let index = next++; index < items.length; index = next++) {
      const item = items[index]
      if (item === undefined) continue
      ended[index]?.resolve(await runToEnd(signal, () => work(item)))
    }
  }
  for (let lanes = Math.min(limit, items.length); lanes > 0; lanes--) void lane()
  return ended.map(({ promise }) => promise)
}

async function runToEnd<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Ended<Result>> {
  try {
    signal.throwIfAborted()
    return { ok: true, value: await work() }
  } catch (error) {
    return { ok: false, error }
  }
}
