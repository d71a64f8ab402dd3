import type { Context } from '../../../tenancy/context/index.ts'
import { DRAFT_DAYS } from './keep.ts'
import * as sql from './queries.ts'

const MOST_SECTIONS = 100
const DAY = 86_400_000

export type DraftOverview = sql.DraftRow & {
  readonly keptUntil: Date
  readonly methods: readonly sql.MethodCount[]
  readonly sections: readonly sql.SectionCount[]
}

export async function readDraft({ db, asking }: Context): Promise<DraftOverview | null> {
  const { tenantId } = asking
  const row = await db.one(sql.findDraft, { tenantId })
  if (row === undefined) return null
  const { draftId } = row
  const [methods, sections] = await Promise.all([
    db.rows(sql.countByMethod, { tenantId, draftId }),
    db.rows(sql.countBySection, { tenantId, draftId, most: MOST_SECTIONS }),
  ])
  return { ...row, keptUntil: new Date(row.madeAt.getTime() + DRAFT_DAYS * DAY), methods, sections }
}

export type Wanted = sql.Filter & { readonly draftId: string; readonly most: number; readonly skipped: number }

export async function operationsOf({ db, asking }: Context, wanted: Wanted) {
  const rows = await db.rows(sql.listOperations, { tenantId: asking.tenantId, ...wanted })
  return { operations: rows, fitting: rows[0]?.fitting ?? 0 }
}
