/** One round that a model answered. */
export type UsageRow = {
  readonly tenantId: number
  readonly usageId: string
  readonly at: string
  readonly requestId: string
  /** `turn`, or another purpose of asking a model. */
  readonly purpose: string
  readonly model: string
  readonly inputTokens: number
  readonly outputTokens: number
  /** As decimal text, so that money is not rounded on its way. */
  readonly costUsd: string
  readonly holdId: string | null
}

/** How one turn ended. */
export type RecordRow = {
  readonly tenantId: number
  readonly recordId: string
  readonly at: string
  readonly requestId: string
  readonly sessionId: string | null
  readonly surface: string
  readonly source: string
  readonly client: string
  readonly plan: string
  readonly kind: string
  readonly resultPath: string
  /** Of the vocabulary, by the words of the question. */
  readonly domain: string | null
  readonly errorCode: string | null
  readonly rounds: number
  readonly toolCalls: number
  readonly proposals: number
  readonly handedOff: boolean
  readonly answered: boolean
  readonly preview: boolean
  readonly inputTokens: number
  readonly outputTokens: number
  readonly model: string
  readonly durationMs: number
  readonly firstTextMs: number | null
}

export type LedgerRow =
  | { readonly kind: 'usage'; readonly row: UsageRow }
  | { readonly kind: 'record'; readonly row: RecordRow }
