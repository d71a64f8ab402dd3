// What reading a website costs: the processor time of a whole crawl of 40 real pages (robots.txt, sitemap, prose, items, colour),
// beside fetching the same pages and looking for their links with the same parser.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { Parser } from 'htmlparser2'
import { systemClock } from '../server/src/kernel/clock/index.ts'
import { openEgress } from '../server/src/kernel/egress/index.ts'
import { openLog } from '../server/src/kernel/log/index.ts'
import { readSite } from '../server/src/modules/previews/crawl/index.ts'
import { judged, type Result, say } from './parts/report.ts'
import { ratioOf, rounded, takeTurns } from './parts/rounds.ts'

const FOLDER = path.join(import.meta.dirname, '../../shared/corpora/pages')
const MEBIBYTE = 1024 * 1024
const LIMITS = {
  pages: 40,
  bytesPerPage: 4 * MEBIBYTE,
  totalBytes: 64 * MEBIBYTE,
  timeoutMs: 60_000,
  concurrency: 1,
  feedItems: 500,
  dataEndpoints: 0,
  items: 300,
}

type Serving = { readonly port: number; readonly pages: number; readonly bytes: number }

async function startSite() {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'sites/serve-pages.ts'), FOLDER], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return { serving: JSON.parse(line.toString()) as Serving, stop: () => child.kill() }
}

/** Pages by second of processor time: how busy the machine is does not matter. */
async function perSecond(pages: number, work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (1_000_000 * pages) / (user + system)
}

async function bare({ port, pages }: Serving): Promise<void> {
  const links: string[] = []
  for (let at = 0; at < pages; at++) {
    const answer = await fetch(`http://127.0.0.1:${port}/${at === 0 ? '' : `p${at}`}`)
    const parser = new Parser({
      onopentag(name, { href }) {
        if (name === 'a' && href !== undefined) links.push(href)
      },
    })
    parser.end(await answer.text())
  }
}

async function measure(): Promise<Result> {
  const { serving, stop } = await startSite()
  const egress = openEgress<'crawl'>({
    policy: { allowInsecure: true, allowPrivateNetwork: true },
    purposes: { crawl: {} },
    userAgent: 'bench',
  })
  const parts = {
    egress,
    clock: systemClock,
    log: openLog({ level: 'silent', format: 'json' }),
    version: '0',
    publicAddress: 'http://127.0.0.1',
    share: 1,
    allowInsecure: true,
  }
  let read = 0
  let highest = 0
  const crawl = async (): Promise<void> => {
    const request = {
      siteUrl: `http://127.0.0.1:${serving.port}/`,
      limits: LIMITS,
      signal: new AbortController().signal,
    }
    const reading = await readSite(parts, request)
    if ('fault' in reading) throw new Error(reading.message)
    read = reading.pages.length
    highest = Math.max(highest, process.memoryUsage().rss)
  }
  try {
    const { crawls, bares } = await takeTurns(
      {
        crawls: () => perSecond(serving.pages, crawl),
        bares: () => perSecond(serving.pages, () => bare(serving)),
      },
      { rounds: 9, warmUpRounds: 2 },
    )
    return judged(
      'processor time of a crawl to fetch + htmlparser2',
      ratioOf(bares, crawls),
      { atMost: 2.5 },
      {
        pages: serving.pages,
        withText: read,
        documentsMiB: rounded(serving.bytes / MEBIBYTE),
        residentMiB: rounded(highest / MEBIBYTE),
      },
    )
  } finally {
    stop()
    await egress.close(0)
  }
}

const isThere = existsSync(FOLDER)
say({
  bench: 'site-reading',
  promise: 'Reading 40 real pages takes at most 2.5 times the processor time of fetching them and finding their links',
  results: isThere ? [await measure()] : [],
  ...(isThere ? {} : { skipped: 'the corpus of pages is not beside the repository' }),
})
