import type { Calls } from '../calls/index.ts'
import type { Catalogs } from '../catalog/index.ts'
import type { Prohibition } from '../writes/index.ts'
import type { Faults } from './fault-points.ts'

/** What this room works with, and `app.ts` hands to it. */
export type ActionRooms = {
  readonly catalogs: Catalogs
  readonly calls: Calls
  readonly prohibition: Prohibition
  readonly faults: Faults
}
