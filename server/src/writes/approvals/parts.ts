import type { Context } from '../../tenancy/context/index.ts'
import type { PolicyTool } from './policy-warnings.ts'

/** What the app hands to this room, which may not ask the catalog itself. */
export type ApprovalParts = {
  /** The tools that the workspace has registered. */
  readonly toolsOf: (ctx: Context) => Promise<readonly PolicyTool[]>
}
