import type { Reply } from './reply.ts'

export type ClaimTerms = {
  /** Who claims: only the holder of a claim may answer it or give it back. */
  readonly holder: string
  readonly leaseMs: number
  /** Whether a claim whose lease has run out may be taken over. */
  readonly takeOver: boolean
  /** Which write it is; absent of an event. */
  readonly write?: ClaimedWrite
}

/** What is kept with the claim of a write, so that a list of claims says what each of them is about. */
export type ClaimedWrite = { readonly tenantId: number; readonly tool: string }

export type ClaimListing = {
  /** Only the writes of this workspace are listed. */
  readonly tenantId: number
  /** Claims from before this time are left out. */
  readonly since: Date
  /** Keys are listed in their order, from the one after this. */
  readonly after: string
  readonly limit: number
}

/** One claim of a write, without what was asked and what was answered. */
export type ListedClaim = {
  readonly key: string
  /** Null of a claim that an older version of this package made. */
  readonly tool: string | null
  /** The HTTP status that was answered, and is answered again: 2xx is a write that was performed. Null while there is none. */
  readonly status: number | null
  readonly claimedAt: Date
}

/** `taken_over`: somebody held it before, who died or broke, and what they did is not known. */
export type Claimed = 'claimed' | 'taken_over' | 'in_flight' | { readonly answered: Reply }

/**
 * Where idempotency keys are claimed. Each verb is one atomic step, whoever else calls it at the same time. `Transaction` is what
 * a tool gets that does its work together with the claim.
 */
export type Claims<Transaction = never> = {
  claim(key: string, terms: ClaimTerms): Promise<Claimed>
  /** Remembers the answer of an open claim: of this holder's or, without a holder, of anybody's. False where there is none. */
  answer(key: string, holder: string | null, reply: Reply): Promise<boolean>
  /** Forgets an open claim of this holder, as if it had never come. */
  release(key: string, holder: string): Promise<void>
  /** Ends the lease of an open claim of this holder, and keeps the claim. */
  abandon(key: string, holder: string): Promise<void>
  /**
   * Does the work and remembers its answer in one transaction, of which only a 2xx keeps the effects. Throws `NothingApplied` when
   * it is certain that nothing was kept, and anything else when it is not.
   */
  transaction?(
    key: string,
    work: (transaction: Transaction) => Reply | Promise<Reply>,
    write?: ClaimedWrite,
  ): Promise<Reply | 'in_flight'>
  /** The claims of writes, for `listsClaims`: a store without it lists none. */
  list?(listing: ClaimListing): Promise<readonly ListedClaim[]>
  /** The work of a transaction must not wait for anything. */
  readonly synchronous?: true
}

/** Whatever went wrong, nothing of it was kept. */
export class NothingApplied extends Error {
  override readonly name = 'NothingApplied'
}
export const nothingApplied = (cause: unknown): NothingApplied => new NothingApplied('Nothing was applied.', { cause })
