import type { ApiCredential, UserTokenMode } from '@tether/contract'
import type { EgressFailure, EgressResult } from '../../kernel/egress/index.ts'
import type { Json, JsonObject } from '../../kernel/json/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import type { Tool } from '../catalog/index.ts'

// The port through which every tool is reached: the tenant's signed endpoint, or the API that it imported. An MCP server is a
// further one. A transport sends a call once and reports what came of it. Whether to try again, and what the
// report means for a read or for a write, is decided in one place for all of them (attempt.ts, write-result.ts).

/** For whom a call is made. It comes from the credential, or from what was staged under one, and from nowhere else. */
export type OnBehalf = {
  readonly scopeId: number | null
  readonly userId: number | null
  readonly userRole: string
  readonly customerId: string | null
}

export type ToolCall = {
  readonly tool: Tool
  readonly arguments: JsonObject
  readonly mode: 'read' | 'execute'
  /** A read gets a new one with each call. A confirmed write carries its action's idempotency key, always the same. */
  readonly requestId: string
  readonly onBehalf: OnBehalf
  readonly sessionId: string | null
  readonly actionId: string | null
  /** Where the claim of a write says that it is sent. Null for a read, which nobody claims. */
  readonly sentTo: string | null
  /** Hears how far the call has come, where whoever performs it says so. */
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

export type Progress = {
  readonly progress: number
  readonly total?: number | undefined
  readonly message?: string | undefined
}

export type Answered = {
  readonly kind: 'answered'
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** The answer as its bytes came. */
  readonly body: Buffer
  /** The same as an MCP server gave it, for whoever speaks its protocol. */
  readonly proxied?: Proxied
  /** Set where an imported API answered, and not the tenant's own endpoint. */
  readonly api?: {
    /** Whose credential it was called with. */
    readonly calledWith: CalledWith
  }
}

/** Blocks of content (texts, pictures, sounds, resources), and the structure where there is one. */
export type Proxied = { readonly content: readonly Json[]; readonly structured?: Json }

/** Whose credential an imported API is called with: the signed-in person's own token, the stored one, or none. */
export type CalledWith = 'person' | 'stored' | 'none'

/** Why a call has no answer. */
export type NoAnswerCause = 'address_refused' | 'unreachable' | 'timed_out' | 'canceled' | 'too_large' | 'unreadable'

type Unanswered = {
  readonly cause: NoAnswerCause
  /** The status, where the answer broke off after it. */
  readonly status: number | null
  /** For the owner of the tool: what happened, and what to look at. */
  readonly message: string
}

export type SendResult =
  | Answered
  /** Nothing was attempted, because something has to be set up first. `status` is how the call ends. */
  | {
      readonly kind: 'not_ready'
      readonly status: 'not_configured' | 'failed' | 'user_token_required'
      readonly message: string
    }
  /** The arguments make no request that could be sent. */
  | { readonly kind: 'unfit'; readonly message: string }
  /** It is certain that nothing reached the tool. */
  | (Unanswered & { readonly kind: 'not_sent' })
  /** It may have reached the tool, and only the tool's owner knows what it did. */
  | (Unanswered & { readonly kind: 'lost' })

/** A call that something was done about. */
export type Attempted = Exclude<SendResult, { kind: 'not_ready' | 'unfit' }>

export type Transport = {
  /** Where a call of this tool goes by now: the only place that can know what became of a write. Null where there is none. */
  addressOf(ctx: Context, tool: Tool): Promise<string | null>
  /** Sends once, whatever happens; but for a read whose token the API no longer takes, which is sent again with a new one. `signal` cancels a call that nobody waits for any longer; a confirmed write has none. */
  send(ctx: Context, call: ToolCall, signal?: AbortSignal): Promise<SendResult>
}

/** The API that a tenant imported: where it is, and with whose authority it is called. */
export type ImportedApi = {
  /** As it was checked at import. The path of an operation is joined to it as text. */
  readonly baseUrl: string
  readonly userToken: UserTokenMode
  /** As it was declared, opened for this call. Null where none is stored. */
  readonly credential: ApiCredential | null
}

/**
 * What the room that keeps imports gives to this one; `app.ts` hands it in. Null where nothing was imported.
 * @throws SecretUnreadable if the stored credential cannot be decrypted
 */
export type ApiOf = (ctx: Context) => Promise<ImportedApi | null>

const CAUSES = {
  refused: 'address_refused',
  unreachable: 'unreachable',
  timeout: 'timed_out',
  aborted: 'canceled',
  too_large: 'too_large',
  invalid_answer: 'unreadable',
} as const satisfies Record<EgressFailure['kind'], NoAnswerCause>

/** What the way out reported, in the words of the port. For every transport that speaks HTTP. */
export function resultOverHttp(result: EgressResult): Attempted {
  const { kind, status } = result
  if (kind === 'answer') return { kind: 'answered', status, headers: result.headers, body: result.body }
  const { sent, message } = result
  return { kind: sent ? 'lost' : 'not_sent', cause: CAUSES[kind], status, message }
}
