import type { Context } from '../../tenancy/context/index.ts'
import { isSameBase } from '../../tools/calls/index.ts'
import { type ActionRooms, type ActionRow, writeOf } from '../actions/index.ts'
import { HASH_VERSION } from '../writes/index.ts'

/**
 * Which of these waiting actions can no longer be approved because of where they would go. A list reads only the stored address: it
 * would have to hash the arguments of each action to find one whose tool sends another request. A confirm and the card find that one.
 */
export async function changedAmong(
  ctx: Context,
  { calls, catalogs }: Pick<ActionRooms, 'calls' | 'catalogs'>,
  actions: readonly ActionRow[],
): Promise<ReadonlySet<string>> {
  const catalog = await catalogs.of(ctx)
  // The address of an MCP server is read from the database, once for each of its tools.
  const addresses = new Map<string, Promise<string | null>>()
  const changed = await Promise.all(
    actions.map(async (action) => {
      const tool = writeOf(catalog, action)
      if (action.hashVersion !== HASH_VERSION) return [action.actionId]
      if (tool === undefined) return []
      const address = addresses.get(tool.name) ?? calls.addressOf(ctx, tool)
      addresses.set(tool.name, address)
      return isSameBase(tool, action.stagedFor, await address) ? [] : [action.actionId]
    }),
  )
  return new Set(changed.flat())
}
