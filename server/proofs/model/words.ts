// What the reference and the service are both told, and what both answer.
import type { FaultPoint } from '../../src/writes/actions/index.ts'

/** The fault points of the service, and moments between two of its statements that only a race stops at. */
export type Point =
  | FaultPoint
  /** The replay check is done. */
  | 'asked'
  /** The row was read. */
  | 'read'
  /** The yes is written down. */
  | 'approved'
  /** The claim was lost, and the lost yes marked. */
  | 'marked'
export type Who = 'token' | 'nobody' | 1 | 2 | 3
/** `received` only where approvers are still missing. */
export type Said =
  | readonly [status: string, code: string | null]
  | readonly [status: string, code: string | null, received: number]
/** The endpoints that a workspace moves between. The first is the one that it begins with. */
export const ADDRESSES = ['https://shop.example/tools', 'https://other.example/tools'] as const
export type Address = (typeof ADDRESSES)[number]
export const otherThan = (address: Address): Address => (address === ADDRESSES[0] ? ADDRESSES[1] : ADDRESSES[0])
export type Flavour = {
  readonly tool: 'plain' | 'risky' | 'checked'
  /** 0: there is no policy. Otherwise users 1 and 2 may approve, and 3 may not. */
  readonly approvers: 0 | 1 | 2
}
export type Confirm = { readonly who: Who; readonly acknowledges: boolean; readonly key: string | null }

/** What can be seen of one action from outside: its row, its trail, what was told, and what the endpoint did. */
export type Seen = {
  readonly state: string
  readonly attempts: number
  readonly verification: string | null
  readonly trail: readonly string[]
  readonly told: readonly string[]
  readonly performed: number
  /** The addresses that it was sent to. */
  readonly sentTo: readonly Address[]
}
