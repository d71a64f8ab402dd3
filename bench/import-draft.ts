// What a draft costs: from the bytes of a document to the bytes of the answer, against JSON.parse of the same bytes, on the
// three largest real documents that we have. The database is left out of it: a draft asks it once.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { parseJsonBytes, stringifyJson } from '../server/src/kernel/json/index.ts'
import { draftOfDocument } from '../server/src/modules/openapi-import/index.ts'
import { judged, type Result, say } from './parts/report.ts'
import { ratioOf, rounded, takeTurns } from './parts/rounds.ts'
import { lasting } from './parts/scale.ts'

const FOLDER = path.join(import.meta.dirname, '../../shared/corpora/openapi')
const DOCUMENTS = {
  Stripe: 'stripe-apisguru.json.gz',
  Kubernetes: 'kubernetes-2.0.json.gz',
  GitHub: 'github-rest-2025-npm.json.gz',
} as const

const SLICE_MS = lasting(300)
const MEBIBYTE = 1024 * 1024

async function compare(what: string, file: string): Promise<Result> {
  const bytes = gunzipSync(readFileSync(path.join(FOLDER, file)))
  // Slices of one length, so that a machine that is busy with others interrupts both as often.
  const perSecond = (work: () => unknown) => async () => {
    const started = performance.now()
    let times = 0
    for (; performance.now() - started < SLICE_MS; times++) await work()
    return (1000 * times) / (performance.now() - started)
  }
  let answer = ''
  const before = process.memoryUsage().rss
  const { drafts, parses } = await takeTurns(
    {
      drafts: perSecond(async () => {
        answer = stringifyJson(await draftOfDocument(parseJsonBytes(bytes)))
      }),
      parses: perSecond(() => JSON.parse(bytes.toString())),
    },
    { rounds: 15, warmUpRounds: 3 },
  )
  // As often as it takes the time of the other.
  return judged(
    what,
    ratioOf(parses, drafts),
    { atMost: 8 },
    {
      documentMiB: rounded(bytes.length / MEBIBYTE),
      answerMiB: rounded(answer.length / MEBIBYTE),
      residentGrewMiB: rounded((process.memoryUsage().rss - before) / MEBIBYTE),
    },
  )
}

const results: Result[] = []
const isThere = existsSync(FOLDER)
if (isThere) for (const [what, file] of Object.entries(DOCUMENTS)) results.push(await compare(what, file))
say({
  bench: 'import-draft',
  promise: 'From the bytes of a document to the draft’s answer takes at most 8 times JSON.parse of the same bytes',
  results,
  ...(isThere ? {} : { skipped: 'the corpus of documents is not beside the repository' }),
})
