import type { Risk } from '@tether/contract'
import { refuse } from '../../../kernel/http/index.ts'
import type { Context } from '../../../tenancy/context/index.ts'
import * as sql from './queries.ts'

export type Choice = sql.Choice

/** What a person says of an operation. `keep`: its tool stays as it is registered. */
export type Said = {
  readonly place: number
  readonly choice: Choice
  readonly risk: Risk | null
  readonly customer: boolean
}

export async function declareOperations(
  { db, asking }: Context,
  { draftId, said }: { readonly draftId: string; readonly said: readonly Said[] },
): Promise<number> {
  const row = await db.one(sql.declareOperations, { tenantId: asking.tenantId, draftId, said: JSON.stringify(said) })
  if (row === undefined) throw replaced()
  return row.declared
}

type Bulk = Pick<Said, 'choice' | 'risk'> & {
  readonly draftId: string
  readonly method: string | null
  readonly section: string | null
}

/** Says the same of everything that nobody has declared yet, and of nothing else. */
export async function declareOpen({ db, asking }: Context, bulk: Bulk): Promise<number> {
  const row = await db.one(sql.declareOpen, { tenantId: asking.tenantId, ...bulk })
  if (row === undefined) throw replaced()
  return row.declared
}

export const replaced = () =>
  refuse(
    'invalid_request',
    'This draft is gone: another document has taken its place, or its tools are registered. Load the page again.',
  )
