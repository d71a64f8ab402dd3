// What the service asks of a language model, whoever makes it. The turn's loop is ours: a model only streams one round.

/** A picture that the visitor sent: its bytes, already checked and bounded. */
export type Picture = { readonly mimeType: string; readonly data: Uint8Array }

/** A call that the model asked for. The arguments are its own text: they may be no JSON at all. */
export type ModelCall = { readonly id: string; readonly name: string; readonly arguments: string }

export type Message =
  | { readonly role: 'system'; readonly text: string }
  | { readonly role: 'user'; readonly text: string; readonly pictures?: readonly Picture[] }
  | { readonly role: 'assistant'; readonly text: string; readonly calls?: readonly ModelCall[] }
  | { readonly role: 'tool'; readonly callId: string; readonly name: string; readonly text: string }

export type OfferedTool = {
  readonly name: string
  /** A provider's model reads here, too, whether a call changes something. */
  readonly description: string
  readonly isWrite: boolean
  /** JSON Schema of the arguments. */
  readonly parameters: unknown
}

export type ModelRequest = {
  readonly model: string
  readonly messages: readonly Message[]
  readonly tools: readonly OfferedTool[]
  readonly maxOutputTokens: number
}

export type ModelUsage = { readonly inputTokens: number; readonly outputTokens: number }

/** Why a round ended. `length`: cut off; a call that was still being written is never given out. */
export type FinishReason = 'stop' | 'calls' | 'length' | 'filtered'

export type ModelPart =
  | { readonly type: 'text'; readonly text: string }
  /** Whole: given out once all its pieces are there. Calls come in the order in which the model began them. */
  | { readonly type: 'call'; readonly call: ModelCall }
  | { readonly type: 'usage'; readonly usage: ModelUsage }
  /** Exactly once, and last. */
  | { readonly type: 'finish'; readonly reason: FinishReason }

/** The model did not do its part: not reached, refused, broken off, late. `retryAfterSeconds` when it said so. */
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

/** Streams one round. Throws `ModelFailure`; when `signal` aborts it frees its connection at once and throws the signal's reason. */
export type Model = {
  readonly kind: string
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart>
}

/** A model that keeps connections. */
export type ClosableModel = Model & { close(): Promise<void> }
