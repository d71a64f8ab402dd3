// What the model is told of a call's result. A model may repeat whatever it reads. So in a turn for the visitor of a page it reads
// nothing that is meant for the business alone: why a call failed, and what a check saw.
import { stringifyJson } from '../../../kernel/json/index.ts'
import type { ReadResult } from '../../../tools/calls/index.ts'
import { type Tool, trimResult } from '../../../tools/catalog/index.ts'
import type { Staged } from '../../../writes/actions/index.ts'
import type { Turn } from './turn.ts'

const isForVisitor = ({ ctx }: Turn): boolean => ctx.asking.kind === 'publishable' || ctx.asking.kind === 'sandbox'

const NO_ANSWER = 'The answer is not available at the moment. Tell the visitor so, and suggest trying again later.'

const SIGN_IN =
  'Nothing was called, because this tool reads the visitor’s own account. Ask the visitor to sign in first.'

export function tellRead(turn: Turn, tool: Tool, result: ReadResult): string {
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

export function tellUnmet(turn: Turn, { kind, checked }: Exclude<Staged, { kind: 'staged' | 'full' }>): string {
  if (isForVisitor(turn)) {
    return checked.notFound === undefined ? UNMET[kind] : `Nothing was staged. ${tellNotFound(checked.notFound)}`
  }
  const result = checked.kind === 'unreadable' ? '' : ` The check saw: ${stringifyJson(checked.result)}`
  return `${checked.reason} Nothing was staged.${result}`.slice(0, turn.limits.toolResultChars)
}
