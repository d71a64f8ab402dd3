import type { Client } from '@modelcontextprotocol/client'
import { SecretUnreadable } from '../../kernel/crypto/index.ts'
import { onOneLine, storableText } from '../../kernel/text/index.ts'
import { type Redact, redactorOf } from '../../tools/calls/index.ts'
import { faultIn } from './fault-in.ts'
import { MOST_LIST_BYTES } from './limits.ts'
import { type CallSent, nothingSent, type Opened } from './opened.ts'
import { sealedCredentials, type UpstreamRow } from './queries.ts'
import type { Reaching } from './reaching.ts'

export type Server = Pick<UpstreamRow, 'url'> & { readonly credential: string | null }
export type Session = {
  readonly client: Client
  readonly options: { readonly timeout: number; readonly signal: AbortSignal }
  /** Takes out of what the server says whatever proved to it who is calling. */
  readonly redact: Redact
}

type Opening = {
  /** For all of it together: the handshake, a look, the call. */
  readonly deadlineMs: number
  /** How large the answer of a call may be; lists have a bound of their own. */
  readonly callBytes?: number
  readonly signal?: AbortSignal
}

/** The protocol's client is loaded with the first server that is opened: no start waits for it. */
const connecting = () => import('./connect.ts')

/** Opens a server, does a piece of work with it, and closes it. Whatever goes wrong is a result. */
export async function openServer<Result>(
  ctx: Reaching,
  server: Server,
  { deadlineMs, callBytes = MOST_LIST_BYTES, signal }: Opening,
  work: (session: Session, tracked: CallSent) => Promise<Result>,
): Promise<Opened<Result>> {
  const tracked = nothingSent()
  const { withServer, left } = await connecting()
  const until = performance.now() + deadlineMs
  const overdue = AbortSignal.timeout(Math.ceil(deadlineMs))
  const givenUp = new AbortController()
  const giveUp = (reason: Error): void => givenUp.abort(reason)
  const either = AbortSignal.any([overdue, givenUp.signal, ...(signal === undefined ? [] : [signal])])
  const redact = redactorOf([server.credential ?? '', ctx.asking.upstreamToken ?? ''])
  try {
    const value = await withServer(ctx, { ...server, until, callBytes, tracked, signal: either, giveUp }, (client) =>
      work({ client, options: { timeout: left(until), signal: either }, redact }, tracked),
    )
    return { ok: true, value }
  } catch (caught) {
    // Its reason is the first thing that went wrong; what the client made of it is not.
    const error: unknown = givenUp.signal.aborted ? givenUp.signal.reason : caught
    return { ok: false, error, message: wordsFor(error, overdue.aborted && error === caught, redact), tracked }
  }
}

/** The stored credential, opened. Null where there is none, undefined where it does not open. */
export function credentialOf(
  { keyring, asking }: Pick<Reaching, 'keyring' | 'asking'>,
  row: Pick<UpstreamRow, 'name' | 'credential'>,
): string | null | undefined {
  if (row.credential === null) return null
  try {
    return keyring.open(row.credential, sealedCredentials.place(asking.tenantId, row.name))
  } catch (error) {
    if (error instanceof SecretUnreadable) return undefined
    throw error
  }
}

const LONGEST_WORDS = 300
const MOST_READ = 64 * 1024

/** For the owner of the server. What it said itself is a part of it, cut short. */
function wordsFor(error: unknown, isOverdue: boolean, redact: Redact): string {
  if (isOverdue) return 'The server did not answer in time.'
  const { message = '', status } = error as { message?: string; status?: number }
  const said =
    faultIn(error)?.message ??
    (typeof status === 'number' ? `The server answered ${status}. ${advice(status)}` : message)
  return onOneLine(storableText(redact.text(said.slice(0, MOST_READ)).slice(0, LONGEST_WORDS))).trim()
}

const advice = (status: number): string =>
  status === 401 || status === 403 ? 'Check the credential.' : status === 404 ? 'Check the address.' : ''
