import type { House } from '../../tenancy/context/index.ts'
import type { Ledger } from '../../tenancy/usage/index.ts'
import type { Calls } from '../../tools/calls/index.ts'
import type { Catalogs } from '../../tools/catalog/index.ts'
import type { Watches } from '../proposals/index.ts'
import type { RunningTurns } from '../streams/index.ts'
import type { ModelsByPlan, Moderation, Retrieval, Sandboxes, Vocabulary } from './turn/ports.ts'

/** What the house and other rooms give to this room, for the life of the process. */
export type ChatRooms = {
  readonly house: House
  readonly catalogs: Catalogs
  readonly calls: Calls
  readonly models: ModelsByPlan
  readonly retrieval: Retrieval
  readonly vocabulary: Vocabulary
  readonly moderation: Moderation
  readonly ledger: Ledger
  readonly turns: RunningTurns
  readonly watches: Watches
  readonly sandboxes: Sandboxes
}
