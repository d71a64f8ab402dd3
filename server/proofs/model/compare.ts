// What must be seen of an action, given what the reference says of it.
import assert from 'node:assert/strict'
import type { Action } from './reference.ts'
import type { Address, Flavour, Seen } from './words.ts'

const TOLD: Readonly<Record<string, readonly string[]>> = {
  proposed: ['action.pending'],
  approved: ['action.approved'],
  executed: ['action.executed'],
  rejected: ['action.rejected'],
  expired: ['action.expired'],
  precondition_failed: ['action.precondition_failed'],
  verified: ['action.verified'],
  unverified: ['action.unverified', 'conversation.handoff'],
}

export function expected({ approvers }: Flavour, { state, attempts, verification, trail, book, sentTo }: Action): Seen {
  // Every yes is in the trail, and only a policy's is told.
  const tells = (event: string) => (event === 'approved' && approvers === 0 ? [] : (TOLD[event] ?? []))
  const told = trail.flatMap((event) => tells(event.replace(/ .*/, '')))
  return { state, attempts, verification, trail: inOrder(trail), told, performed: book.performed, sentTo: [...sentTo] }
}

/** Several confirms that one claim overtook are superseded by one statement, in no particular order. */
export function inOrder(trail: readonly string[]): string[] {
  const ordered: string[] = []
  const isOne = (event: string) => event.startsWith('superseded')
  for (const event of trail) {
    const place = ordered.findLastIndex((other) => !isOne(event) || !isOne(other) || other < event)
    ordered.splice(place + 1, 0, event)
  }
  return ordered
}

/** The approvers of a write see the address that it was staged for. */
export function assertSentWhereSeen(sentTo: Iterable<Address>, stagedFor: Address): void {
  for (const address of sentTo) assert.equal(address, stagedFor, 'a write went where no approver saw it go')
}

/** What needs no reference: it is wrong whatever came before. */
export function assertHonest({ state, performed, trail }: Seen): void {
  assert.ok(performed <= 1, 'performed twice')
  if (state === 'executed') assert.equal(performed, 1, 'called executed, and not performed')
  else if (state !== 'indeterminate' && state !== 'executing')
    assert.equal(performed, 0, `called ${state}, and performed`)
  const ends = trail.filter((event) => /^(executed|failed|rejected|expired|precondition_failed) /.test(event))
  assert.ok(ends.length <= 1, 'it has two ends')
  const superseded = trail.filter((event) => event.startsWith('superseded'))
  assert.equal(new Set(superseded).size, superseded.length, 'superseded twice')
}
