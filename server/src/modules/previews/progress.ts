// How far a crawl is, written while it runs: a few times a second at most, and never two at once. A number that is lost is followed by another.

import type { Context, House } from '../../tenancy/context/index.ts'
import type { SiteProgress } from './crawl/index.ts'
import { tenantLimits } from './crawls.ts'
import * as sql from './queries.ts'

const EVERY_MS = 400

export function tellProgress(
  { log }: Pick<House, 'log'>,
  tenantId: number,
  write: (progress: SiteProgress) => Promise<unknown>,
) {
  let writing: Promise<unknown> | undefined
  let last = Number.NEGATIVE_INFINITY
  return {
    note(progress: SiteProgress): void {
      const now = performance.now()
      if (writing !== undefined || now - last < EVERY_MS) return
      last = now
      writing = write(progress)
        .catch((error: unknown) => log.warn({ error, tenantId }, 'The progress of a crawl could not be written.'))
        .finally(() => {
          writing = undefined
        })
    },
    settled: async () => await writing,
  }
}

export type CrawlProgress = {
  /** Null where the crawl was begun by the regular work. */
  readonly siteUrl: string | null
  readonly pages: number
  readonly mostPages: number
  readonly bytes: number
  readonly mostBytes: number
  readonly refused: number
  readonly seconds: number
  readonly mostSeconds: number
  /** Why it failed; null while it runs. */
  readonly failure: { readonly at: Date; readonly message: string; readonly reason: string | null } | null
}

const LAPSED = 'The reading ended unexpectedly. Start it again.'

/** The crawl that runs, or the last one if it failed; beyond what the interface tells. Null where there is neither. */
export async function readProgress({ db, asking, settings }: Context): Promise<CrawlProgress | null> {
  const row = await db.one(sql.findCrawl, { tenantId: asking.tenantId })
  if (row === undefined) return null
  const { siteUrl, pages, bytes, refused, seconds, endedAt, lapsedAt, fault, reason } = row
  const limits = tenantLimits(settings)
  const mostSeconds = Math.ceil(limits.timeoutMs / 1000)
  const at = endedAt ?? lapsedAt
  return {
    siteUrl,
    pages,
    mostPages: limits.pages,
    bytes,
    mostBytes: limits.totalBytes,
    refused,
    seconds: Math.min(Math.floor(seconds), mostSeconds),
    mostSeconds,
    failure: at === null ? null : { at, message: fault ?? LAPSED, reason },
  }
}
