import type { JsonObject } from '../../kernel/json/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import { type Destination, type RequestPreview, shownBase } from '../../tools/calls/index.ts'
import type { Tool } from '../../tools/catalog/index.ts'
import {
  type Action,
  type ActionRooms,
  type ActionRow,
  actionMeant,
  findAction,
  judgedAction,
  storedArguments,
  writeOf,
} from '../actions/index.ts'
import { type Outlook, outlookFor } from '../approvals/index.ts'
import { type Change, changeSince, mustAcknowledge } from '../writes/index.ts'
import { type GivenRow, listApprovals } from './queries.ts'

/** One action, and everything that a decision about it rests on. */
export type Looked = {
  readonly action: Action
  readonly given: JsonObject
  /** What the catalog says of it now; null where it has no such write any longer, or another one under its name. */
  readonly tool: Tool | null
  /** The base address that it would be sent to now, as an approver sees it. */
  readonly destination: string | null
  /** Null unless it waits and can no longer be approved. */
  readonly changed: Changed | null
  readonly approvals: readonly GivenRow[]
  readonly outlook: Outlook
  /** Null where the caller names nobody. */
  readonly mayDecide: boolean | null
  readonly preview: RequestPreview | null
  /** Why a confirm must acknowledge it; null where it need not. */
  readonly acknowledge: string | null
}

/** Why a waiting write can no longer be approved, with both base addresses as an approver sees them. */
export type Changed = { readonly what: Change; readonly from: string | null; readonly to: string | null }

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
  const goes = named === undefined ? null : await rooms.calls.destinationOf(ctx, named, stored)
  const change = named === undefined || goes === null ? null : changeOf(action, named, stored, goes)
  const changed = action.state === 'pending' ? change : null
  const tool = named === undefined || change?.what === 'request' ? null : named
  const judged = judgedAction(action, tool ?? undefined, stored)
  const [outlook, approvals, preview] = await Promise.all([
    outlookFor(ctx, changed === null ? judged : { ...judged, payloadHash: NO_HASH }),
    ctx.db.rows(listApprovals, at),
    // A request at the present address is not the one that was staged.
    tool === null || changed !== null || change?.what === 'destination'
      ? null
      : rooms.calls.preview(ctx, { tool, arguments: stored, subject: action.subject }),
  ])
  const { caller } = outlook
  return {
    action,
    given: stored,
    tool,
    destination: tool === null || goes === null ? null : shownBase(tool, goes.base),
    changed,
    approvals,
    outlook,
    mayDecide: caller === null ? null : caller.ok && action.state === 'pending' && !action.late && changed === null,
    preview,
    acknowledge:
      tool === null || changed !== null
        ? null
        : mustAcknowledge(ctx.settings, tool, { risk: action.risk, arguments: stored, value: action.value }),
  }
}

/** No approval is of this hash, so none counts. */
const NO_HASH = ''

function changeOf(action: ActionRow, tool: Tool, given: JsonObject, now: Destination): Changed | null {
  const what = changeSince(tool, given, action, now)
  return what === null ? null : { what, from: shownBase(tool, action.stagedFor), to: shownBase(tool, now.base) }
}
