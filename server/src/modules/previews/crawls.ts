// The crawls of this process: what they are given, how many of strangers run at a time, and that none outlives the process.

import { storableTexts } from '../../kernel/json/index.ts'
import type { House } from '../../tenancy/context/index.ts'
import type { readSite, SiteFault, SiteLimits, SiteProgress, SiteReading } from './crawl/index.ts'

export type ReadSite = typeof readSite
export type Address = { readonly siteUrl: string; readonly feedUrl: string | null }

type Crawl = Address & {
  readonly tenantId: number
  readonly limits: SiteLimits
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: SiteProgress) => void
}

export type Crawls = {
  /** Every text in a result or in its progress can be stored. */
  read(crawl: Crawl): Promise<SiteReading | SiteFault>
  /** Takes one of the places for crawls of strangers; returns what gives it back, or undefined if there is none. */
  takePlace(): (() => void) | undefined
  /** Runs on after its request was answered. */
  inBackground(work: (signal: AbortSignal) => Promise<void>): void
  close(): Promise<void>
}

export function openCrawls(house: House, read: ReadSite, version: string): Crawls {
  const { settings, egress, clock, log } = house
  const closing = new AbortController()
  const running = new Set<Promise<void>>()
  let taken = 0
  return {
    async read({ tenantId, limits, siteUrl, feedUrl, signal = closing.signal, onProgress }) {
      const parts = {
        egress,
        clock,
        log,
        version,
        publicAddress: settings.http.publicUrl,
        share: tenantId,
        allowInsecure: settings.toolTransport.allowInsecureEndpoint,
      }
      const result = await read(parts, {
        siteUrl,
        ...(feedUrl === null ? {} : { feedUrl }),
        limits,
        signal: AbortSignal.any([signal, closing.signal]),
        ...(onProgress === undefined
          ? {}
          : { onProgress: (progress: SiteProgress) => onProgress(storableTexts(progress)) }),
      })
      return storableTexts(result)
    },
    takePlace() {
      if (taken >= settings.previewSandbox.maxConcurrentCrawls) return undefined
      taken++
      let isTaken = true
      return () => {
        if (isTaken) taken--
        isTaken = false
      }
    },
    inBackground(work) {
      const ended = work(closing.signal).catch((error: unknown) => {
        log.error({ error }, 'A crawl in the background failed. Its page or its sandbox says so.')
      })
      const tracked = ended.finally(() => running.delete(tracked))
      running.add(tracked)
    },
    async close() {
      closing.abort()
      await Promise.all(running)
    },
  }
}

export const tenantLimits = ({ preview }: House['settings']): SiteLimits => ({
  pages: preview.maxPages,
  bytesPerPage: preview.maxPageBytes,
  totalBytes: preview.maxTotalBytes,
  timeoutMs: Math.round(preview.timeoutSeconds * 1000),
  concurrency: preview.concurrency,
  feedItems: preview.maxFeedItems,
  dataEndpoints: preview.maxDataEndpoints,
  items: preview.maxItems,
})

export const sandboxLimits = ({ preview, previewSandbox }: House['settings']): SiteLimits => ({
  pages: previewSandbox.maxPages,
  bytesPerPage: previewSandbox.maxPageBytes,
  totalBytes: previewSandbox.maxTotalBytes,
  timeoutMs: Math.round(previewSandbox.crawlSeconds * 1000),
  concurrency: preview.concurrency,
  feedItems: previewSandbox.maxFeedItems,
  dataEndpoints: previewSandbox.maxDataEndpoints,
  items: previewSandbox.maxItems,
})
