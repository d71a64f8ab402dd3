// What the service needs from a model that turns texts into vectors: texts that mean the same have vectors that point the same way.

/** Vectors can be compared only with those that the same model made in the same length. */
export type Space = {
  readonly model: string
  /** How many numbers were asked for; 0 leaves it to the model. */
  readonly dimensions: number
}

export type EmbeddingRequest = Space & {
  readonly texts: readonly string[]
  /** Some models read a question otherwise than the text that answers it. */
  readonly of: 'documents' | 'question'
}

export type Embedded = {
  /** One for each text, in their order, all of one length, and each of length 1 in the sense of geometry. */
  readonly vectors: readonly Float32Array[]
  /** Null where the provider does not say. */
  readonly tokens: number | null
}

/** Throws `ModelFailure`. When `signal` aborts, it frees its connection at once and throws the signal's reason. */
export type Embedder = {
  embed(request: EmbeddingRequest, signal: AbortSignal): Promise<Embedded>
  close(): Promise<void>
}
