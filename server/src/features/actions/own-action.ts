import { isUuid } from '../../foundation/ids/index.ts'
import type { Context } from '../../ground/context/index.ts'
import type { Action } from './conclusion.ts'
import { findOwn } from './queries.ts'

/** A write that the asking credential staged itself. Of any other it learns nothing, not even that there is one. */
export async function ownAction({ db, asking }: Context, actionId: string): Promise<Action | null> {
  const { tenantId, keyPrefix: askingKey, customer } = asking
  if (askingKey === null || !isUuid(actionId)) return null
  return (await db.one(findOwn, { tenantId, actionId, askingKey, subject: customer?.id ?? null })) ?? null
}
