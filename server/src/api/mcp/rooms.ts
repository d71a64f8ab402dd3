import type { ActionRooms } from '../../writes/actions/index.ts'

/** What this surface works with, and `core.ts` hands to it. */
export type McpRooms = Pick<ActionRooms, 'catalogs' | 'calls'>
