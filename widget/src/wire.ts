// What the widget reads from the wire. A page outlives deployments of the service, so almost every member is optional.

export type Cell = string | number | boolean | null | undefined

export type Block = {
  readonly type: string
  readonly preview?: boolean
  readonly markdown?: string
  readonly text?: string
  readonly url?: string
  readonly label?: string
  readonly value?: Cell
  readonly unit?: string
  readonly delta?: Cell
  readonly trend?: string
  readonly title?: string
  readonly columns?: readonly { readonly key: string; readonly label: string; readonly align?: string }[]
  readonly rows?: readonly Readonly<Record<string, Cell>>[]
  readonly items?: readonly {
    readonly label: string
    readonly value?: Cell
    readonly detail?: string
    readonly url?: string
  }[]
  readonly categories?: readonly string[]
  readonly series?: readonly { readonly name: string; readonly values: readonly Cell[] }[]
  readonly replies?: readonly { readonly label: string; readonly prompt: string }[]
}

export type Proposal = {
  readonly actionId: string
  readonly tool?: string
  readonly title?: string
  readonly summary?: string
  readonly arguments?: Readonly<Record<string, unknown>>
  readonly labels?: Readonly<Record<string, string>>
  /** Values with characters that nobody sees, as people should read them. */
  readonly shown?: Readonly<Record<string, string>>
  readonly expiresAt?: string
  readonly confirmationToken?: string
}

export type Source = string | { readonly kind?: string; readonly title?: string; readonly url?: string | null }

export type Answer = {
  readonly sessionId?: string | null
  readonly requestId?: string
  readonly blocks?: readonly Block[]
  readonly meta?: {
    readonly preview?: boolean
    readonly previewSources?: readonly Source[]
    readonly sources?: readonly Source[]
    readonly proposals?: readonly Proposal[]
    /** What became of earlier proposals, in words. */
    readonly decisions?: readonly { readonly actionId: string; readonly text: string }[]
    readonly handoff?: unknown
    /** True if a person has taken over, so that there are no blocks. */
    readonly takenOver?: boolean
  }
}

export type Frame =
  | { readonly type: 'start'; readonly requestId: string; readonly sessionId: string | null }
  | { readonly type: 'status'; readonly stage?: string; readonly tool?: string }
  | { readonly type: 'delta'; readonly text: string }
  | { readonly type: 'tool' }
  | { readonly type: 'proposal'; readonly proposal: Proposal }
  | { readonly type: 'block'; readonly index?: number; readonly block: Block }
  | ({ readonly type: 'complete' } & Answer)
  | {
      readonly type: 'error'
      readonly code: string
      readonly message?: string
      readonly retryAfterSeconds?: number
    }

export type ConfirmOutcome = {
  readonly status?: string
  readonly verification?: { readonly status?: string } | null
}

/** The third argument of a reviver, in browsers that have it: the number as it was written. */
type Written = { readonly source?: string }

/** Parses JSON. A number that the browser would change (9007199254740993, 1.50) stays as the text that was written. */
export const readJson = (text: string): unknown =>
  JSON.parse(text, (_key: string, value: unknown, ...[written]: [Written?]) =>
    typeof value === 'number' && written?.source !== undefined && String(value) !== written.source
      ? written.source
      : value,
  )
