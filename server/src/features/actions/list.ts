import type { ActionState } from '@tether/contract'
import type { Context } from '../../ground/context/index.ts'
import type { Action } from './conclusion.ts'
import * as sql from './queries.ts'

export type ListInput = {
  readonly state: ActionState
  readonly tool: string | null
  readonly scopeId: number | null
  readonly limit: number
}

/** The newest first. The results of executed writes are left out: a page of them could be fifty megabytes. */
export async function listActions({ db, asking }: Context, input: ListInput): Promise<readonly Action[]> {
  return await db.rows(sql.listActions, { tenantId: asking.tenantId, ...input })
}
