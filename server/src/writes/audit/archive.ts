// Takes finished months of the trail out of the table, into files. A month is first in a file, complete and on the disk; then the
// database knows of the file; then its rows go. Killed after any of these, the next run goes on where this one stopped.
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { isCheckViolation, isUniqueViolation, type Queries } from '../../kernel/db/index.ts'
import type { House } from '../../tenancy/context/index.ts'
import { sha256Of, writeWhole } from './archive-file.ts'
import * as sql from './archive-queries.ts'
import { type Chained, lineOf } from './chain.ts'
import { followed } from './follow.ts'

type Db = Pick<House, 'db'>

export type Archiving = {
  readonly folder: string
  /** How many finished months the table keeps. */
  readonly keepMonths: number
  /** Only this tenant. */
  readonly only?: number | undefined
}

/** What became of one month of one tenant, or of a tenant whose trail cannot be archived. */
type ArchivedMonth =
  | { readonly kind: 'archived'; readonly tenantId: number; readonly file: string; readonly events: number }
  | { readonly kind: 'finished'; readonly tenantId: number; readonly file: string }
  | { readonly kind: 'failed'; readonly tenantId: number; readonly why: string }

const TENANTS = 500
/** Rows of one transaction: some 40 ms. */
const TOGETHER = 5_000

/** False for a role that may only append. */
export const mayArchive = async ({ db }: { readonly db: Queries }): Promise<boolean> =>
  (await db.one(sql.ownsTrail))?.owns === true

/** Archives one month of one tenant after another. A tenant whose trail cannot be archived stops nobody else’s. */
export async function* archiveTrails(house: Db, archiving: Archiving): AsyncGenerator<ArchivedMonth> {
  const { keepMonths, only = null } = archiving
  let after = 0
  for (let more = true; more; ) {
    const found = await house.db.rows(sql.listToArchive, { after, only, keepMonths, limit: TENANTS })
    for (const { tenantId } of found) {
      yield* archiveTenant(house, tenantId, archiving)
      after = tenantId
    }
    more = found.length === TENANTS
  }
}

async function* archiveTenant(house: Db, tenantId: number, archiving: Archiving): AsyncGenerator<ArchivedMonth> {
  try {
    const { db } = house
    for (const left of await db.rows(sql.listLeftBehind, { tenantId })) {
      await finish(house, tenantId, { ...left, folder: archiving.folder })
      yield { kind: 'finished', tenantId, file: left.file }
    }
    const next = () => db.one(sql.findMonth, { tenantId, keepMonths: archiving.keepMonths })
    for (let month = await next(); month !== undefined; month = await next()) {
      const file = await archiveMonth(house, tenantId, month, archiving.folder)
      yield { kind: 'archived', tenantId, file, events: month.lastId - month.afterId }
    }
  } catch (error) {
    yield { kind: 'failed', tenantId, why: error instanceof Error ? error.message : String(error) }
  }
}

/** The name sorts by month, and a trail that was archived once more would get another. */
const fileOf = (tenantId: number, { month, afterId, lastId }: sql.Month): string =>
  `${tenantId}/${month}.${afterId + 1}-${lastId}.jsonl`

async function archiveMonth(house: Db, tenantId: number, month: sql.Month, folder: string): Promise<string> {
  const file = fileOf(tenantId, month)
  let last: Chained | undefined
  async function* lines(): AsyncGenerator<string> {
    const from = { id: month.afterId, hash: month.afterHash }
    const chain = followed(house, tenantId, { from, last: month.lastId })
    for (;;) {
      const { done, value } = await chain.next()
      if (done !== true) {
        last = value.at(-1) ?? last
        yield value.map((event) => `${lineOf(event)}\n`).join('')
      } else if (value === undefined) return
      else
        throw new Error(
          `The trail is broken at event ${value.at} (${value.reason}), so nothing of its month was archived. Find out who changed it: GET /v1/audit/verify says the same.`,
        )
    }
  }
  const sha256 = await writeWhole(path.join(folder, file), lines())
  if (last === undefined) throw new Error(`There is no event in ${month.month}.`)
  const archive = { firstId: month.afterId + 1, lastId: month.lastId, file, sha256 }
  await record(house, tenantId, { ...archive, month, lastHash: last.hash })
  await takeOut(house, tenantId, archive)
  return file
}

type Recorded = sql.ArchiveRow & { readonly month: sql.Month; readonly lastHash: string }

async function record({ db }: Db, tenantId: number, { month, ...archive }: Recorded): Promise<void> {
  const row = { tenantId, ...archive, month: month.month, previousHash: month.afterHash, lastAt: month.lastAt }
  const written = await db.run(sql.insertArchive, row).catch((error: unknown) => {
    if (isUniqueViolation(error) || isCheckViolation(error))
      throw new Error(`Somebody else archives this trail at the same time. Run this again when that is done.`)
    throw error
  })
  if (written === 0) throw new Error(`The workspace has been deleted. Delete ${archive.file}, too.`)
}

/** What another run left in the table goes only if its file is where it was written, as it was written. */
async function finish(
  house: Db,
  tenantId: number,
  { folder, ...archive }: sql.ArchiveRow & { readonly folder: string },
): Promise<void> {
  const file = path.join(folder, archive.file)
  if ((await sha256Of(file)) !== archive.sha256)
    throw new Error(
      `${file} is not there, or not as it was written, and its events are still in the table. Put it back, then run this again.`,
    )
  await takeOut(house, tenantId, archive)
}

async function takeOut(
  { db }: Db,
  tenantId: number,
  { firstId, lastId }: Pick<sql.ArchiveRow, 'firstId' | 'lastId'>,
): Promise<void> {
  for (let afterId = firstId - 1; afterId < lastId; afterId += TOGETHER)
    await db.transaction(async (tx) => {
      await sql.announceArchiving(tx, tenantId)
      await tx.run(sql.takeOut, { tenantId, afterId, lastId: Math.min(lastId, afterId + TOGETHER) })
    })
}

/** The folders of an archive whose workspaces have been deleted since. Nothing but the operator deletes them. */
export async function foldersOfDeleted({ db }: Db, folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  const tenantIds = names.filter((name) => /^[1-9]\d{0,9}$/.test(name)).map(Number)
  const deleted = await db.rows(sql.listDeleted, { tenantIds: tenantIds.filter((id) => id < 2 ** 31) })
  return deleted.map(({ tenantId }) => path.join(folder, String(tenantId)))
}
