import type { Spend } from './verdict.ts'

/** `none`: the paths that are never limited (`/health`, `/swagger`, `/openapi`). */
export type Lane = 'runtime' | 'control' | 'none'

/**
 * Who pays. A request with a bad key is anonymous. `addressBucket` is the client address in its bucket form (an IPv6
 * address counts as its /64), `credentialHash` anything that stands for the credential without being it.
 */
export type Caller =
  | { readonly kind: 'anonymous'; readonly addressBucket: string }
  | {
      readonly kind: 'credential'
      readonly publishable: boolean
      readonly credentialHash: string
      readonly addressBucket: string
    }

/** Per minute each. 0 refuses every request of its kind: where 0 turns a limit off, the setting says so, and these do not. */
export type Ceilings = {
  readonly runtimePerMinute: number
  readonly controlPerMinute: number
  readonly anonymousPerMinute: number
  readonly visitorPerMinute: number
}

/** The buckets of which a request must get a permit each; none when it is not limited. */
export function spendsOf(lane: Lane, caller: Caller, ceilings: Ceilings): Spend[] {
  if (lane === 'none') return []
  if (caller.kind === 'anonymous') return [spend('anonymous', caller.addressBucket, ceilings.anonymousPerMinute)]
  // In braces, so that a Redis that shards by hash tag keeps the buckets of one request together.
  const credential = `{${caller.credentialHash}}`
  const own = spend(lane, credential, lane === 'runtime' ? ceilings.runtimePerMinute : ceilings.controlPerMinute)
  if (!caller.publishable) return [own]
  // The lanes are separate for a visitor too: loading pages must not use up the chat.
  return [own, spend('visitor', `${lane}:${credential}:${caller.addressBucket}`, ceilings.visitorPerMinute)]
}

const spend = (name: string, rest: string, limit: number): Spend => ({ name, bucket: `${name}:${rest}`, limit })
