import type { Calls } from '../../tools/calls/index.ts'
import type { Catalogs } from '../../tools/catalog/index.ts'
import type { Prohibition } from '../writes/index.ts'

/** What this room works with, and `core.ts` hands to it. */
export type ActionRooms = {
  readonly catalogs: Catalogs
  readonly calls: Calls
  readonly prohibition: Prohibition
  readonly faults: Faults
}

/** The moments at which a crash would hurt most. */
export const FAULT_POINTS = [
  'before_claim',
  'after_claim',
  'before_send',
  'before_outcome',
  'after_outcome',
  'after_verify',
] as const
export type FaultPoint = (typeof FAULT_POINTS)[number]

/** In service nothing happens at these points; a proof crashes the process there. */
type Faults = { at(point: FaultPoint): Promise<void> }

export const noFaults: Faults = { at: async () => {} }
