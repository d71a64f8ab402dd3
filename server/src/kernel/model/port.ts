// What the service needs from a language model, whoever makes it. We run the turn's loop; a model only streams one
// round.
import type { ToolLabels } from '@tether/contract'

/** A picture that the visitor sent. Its bytes have been checked and their number is bounded. */
export type Picture = { readonly mimeType: string; readonly data: Uint8Array }

/** A call that the model asked for. Its arguments are the model's own text, which may not be JSON. */
export type ModelCall = { readonly id: string; readonly name: string; readonly arguments: string }

export type Message =
  | { readonly role: 'system'; readonly text: string }
  | { readonly role: 'user'; readonly text: string; readonly pictures?: readonly Picture[] }
  | { readonly role: 'assistant'; readonly text: string; readonly calls?: readonly ModelCall[] }
  | { readonly role: 'tool'; readonly callId: string; readonly name: string; readonly text: string }

export type OfferedTool = {
  readonly name: string
  /** It also tells a provider's model whether a call changes something. */
  readonly description: string
  readonly isWrite: boolean
  /** The JSON Schema of the arguments. */
  readonly parameters: unknown
  /** What people call it, and its arguments; only for what answers without a model. */
  readonly title?: string | null
  readonly labels?: ToolLabels
}

export type ModelRequest = {
  readonly model: string
  readonly messages: readonly Message[]
  readonly tools: readonly OfferedTool[]
  readonly maxOutputTokens: number
}

export type ModelUsage = { readonly inputTokens: number; readonly outputTokens: number }

/** Why a round ended. `length` means that it was cut off; a call that was incomplete is dropped. */
export type FinishReason = 'stop' | 'calls' | 'length' | 'filtered'

export type ModelPart =
  | { readonly type: 'text'; readonly text: string }
  /** Emitted once the call is complete. Calls come in the order in which the model began them. */
  | { readonly type: 'call'; readonly call: ModelCall }
  | { readonly type: 'usage'; readonly usage: ModelUsage }
  /** Comes exactly once, and last. */
  | { readonly type: 'finish'; readonly reason: FinishReason }

/** The model could not be reached, refused, broke off or was late. It may have said `retryAfterSeconds`. */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure'
  readonly kind: 'unreachable' | 'refused' | 'busy' | 'broken' | 'late'
  readonly retryAfterSeconds: number | null
  constructor(kind: ModelFailure['kind'], message: string, retryAfterSeconds: number | null = null) {
    super(message)
    this.kind = kind
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/**
 * Streams one round. Throws `ModelFailure`. When `signal` aborts, it frees its connection at once and throws the
 * signal's reason.
 */
export type Model = {
  readonly kind: string
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart>
}

/** A model that keeps connections open. */
export type ClosableModel = Model & { close(): Promise<void> }
