// Confirm, reject and reconcile. Each answers with a status of a closed list, also where that is no success; and one whose answer was
// lost is never simply asked again: it goes with the same key, which runs nothing twice, and what became of the action is looked at.
import { backoff, type Line, pause } from './line.ts'
import { newKey } from './new-key.ts'
import type { Schemas } from './operations.ts'
import { exchange, request } from './request.ts'
import { errorOf, isLost, TetherError } from './tether-error.ts'

export type Decision = Schemas['ConfirmAnswer']
type Verb = 'confirm' | 'reject' | 'reconcile'

export type Deciding = {
  /** Who decides, by their id in your own system: `X-Service-User-Id`. */
  readonly userId?: number | undefined
  /** Such as `X-Service-Upstream-Token`. */
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined
  readonly signal?: AbortSignal | undefined
}
export type Confirming = Deciding & Schemas['ConfirmRequest']

const IN_PROGRESS_WAIT_MS = 1000
/** Longer than the service lets an endpoint take, with its precondition and its verification. */
const PATIENCE_MS = 90_000

export async function confirm(line: Line, actionId: string, confirming: Confirming = {}): Promise<Decision> {
  const { userId, headers, signal, idempotencyKey = await newKey(), ...body } = confirming
  return await decide(line, 'confirm', actionId, { userId, headers, signal }, { ...body, idempotencyKey })
}

export async function decide(
  line: Line,
  verb: Verb,
  actionId: string,
  { userId, headers: more, signal }: Deciding,
  body?: object,
): Promise<Decision> {
  const operation = `POST /v1/actions/{actionId}/${verb}`
  const headers = userId === undefined ? (more ?? {}) : { 'X-Service-User-Id': String(userId), ...more }
  const asked = { params: { actionId }, headers, signal, ...(body === undefined ? {} : { body }) }
  const until = Date.now() + PATIENCE_MS
  let lost: TetherError | undefined
  for (let attempt = 0; ; attempt++) {
    try {
      const said = await once(line, operation, asked)
      if (lost === undefined || !isAboutTheFirst(said)) return said
      // The first request is still at work, or it ended in a way of which the answer is lost.
      const found = said.errorCode === 'ACTION_ALREADY_IN_PROGRESS' ? undefined : await look(line, actionId, signal)
      if (found !== undefined) return found
      if (said.errorCode !== 'ACTION_ALREADY_IN_PROGRESS' || Date.now() > until) return said
      await pause(IN_PROGRESS_WAIT_MS, signal)
    } catch (error) {
      if (!(error instanceof TetherError) || !isLost(error) || attempt >= line.retries) throw error
      lost = error
      await pause(backoff(attempt), signal)
    }
  }
}

async function once(line: Line, operation: string, asked: object): Promise<Decision> {
  const { response, body } = await exchange(line, operation, asked)
  const said = body as Partial<Decision> & { error?: unknown }
  if (typeof said === 'object' && said !== null && said.error === undefined && typeof said.status === 'string')
    return said as Decision
  throw errorOf(operation, response, body)
}

const SECOND = ['ACTION_ALREADY_IN_PROGRESS', 'PENDING_ACTION_NOT_FOUND', 'ACTION_NOT_INDETERMINATE']
const isAboutTheFirst = ({ errorCode }: Decision): boolean => errorCode !== null && SECOND.includes(errorCode)

/** What the action itself says became of it. Undefined where this key may not look, or it does not say. */
async function look(line: Line, actionId: string, signal: AbortSignal | undefined): Promise<Decision | undefined> {
  const action = await request(line, 'GET /v1/actions/{actionId}', { params: { actionId }, signal }).catch(
    () => undefined,
  )
  if (typeof action !== 'object' || action === null) return undefined
  const {
    status,
    tool,
    errorCode = null,
    errorMessage = null,
    verification = null,
  } = action as Partial<Schemas['Action']>
  const known = status === 'failed' && errorCode === 'provider_refused' ? 'ProviderRefused' : STATUSES[status ?? '']
  if (known === undefined) return undefined
  return {
    status: known,
    actionId,
    commandType: tool ?? null,
    appliedChanges: null,
    errorCode,
    errorMessage,
    verification,
  }
}

const STATUSES: Readonly<Record<string, Decision['status']>> = {
  executed: 'Executed',
  failed: 'FailedTerminal',
  rejected: 'Rejected',
  expired: 'Expired',
  indeterminate: 'Indeterminate',
  precondition_failed: 'PreconditionFailed',
}
