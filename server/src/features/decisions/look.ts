import type { JsonObject } from '../../foundation/json/index.ts'
import type { Context } from '../../ground/context/index.ts'
import {
  type Action,
  type ActionRooms,
  actionMeant,
  findAction,
  judgedAction,
  storedArguments,
  writeOf,
} from '../actions/index.ts'
import { type Outlook, outlookFor } from '../approvals/index.ts'
import type { RequestPreview } from '../calls/index.ts'
import type { Tool } from '../catalog/index.ts'
import { isAsStaged, mustAcknowledge } from '../writes/index.ts'
import { type GivenRow, listApprovals } from './queries.ts'

/** One action, and everything that a decision about it rests on. */
export type Looked = {
  readonly action: Action
  readonly given: JsonObject
  /** What the catalog says of it now; null where it has no such write any longer, or another one under its name. */
  readonly tool: Tool | null
  readonly approvals: readonly GivenRow[]
  readonly outlook: Outlook
  /** Null where the caller names nobody. */
  readonly mayDecide: boolean | null
  readonly preview: RequestPreview | null
  /** Why a confirm must acknowledge it; null where it need not. */
  readonly acknowledge: string | null
}

/** Null where the workspace has no such action. */
export async function lookAt(
  ctx: Context,
  rooms: Pick<ActionRooms, 'calls' | 'catalogs'>,
  actionId: string,
): Promise<Looked | null> {
  const at = { tenantId: ctx.asking.tenantId, actionId: actionMeant(ctx, actionId) }
  const action = await ctx.db.one(findAction, at)
  if (action === undefined) return null
  const catalog = await rooms.catalogs.of(ctx)
  const stored = storedArguments(action)
  const named = writeOf(catalog, action)
  const tool = named !== undefined && isAsStaged(named, stored, action) ? named : null
  const [outlook, approvals, preview] = await Promise.all([
    outlookFor(ctx, judgedAction(action, tool ?? undefined, stored)),
    ctx.db.rows(listApprovals, at),
    tool === null ? null : rooms.calls.preview(ctx, { tool, arguments: stored, subject: action.subject }),
  ])
  const { caller } = outlook
  return {
    action,
    given: stored,
    tool,
    approvals,
    outlook,
    mayDecide: caller === null ? null : caller.ok && action.state === 'pending' && !action.late,
    preview,
    acknowledge:
      tool === null
        ? null
        : mustAcknowledge(ctx.settings, tool, { risk: action.risk, arguments: stored, value: action.value }),
  }
}
