// Regular work: the vectors of documents that have none, or have them of another model. A chunk that did not change keeps its own.

import { newId } from '../../kernel/ids/index.ts'
import { ModelFailure, type Space } from '../../kernel/model/index.ts'
import { digestOf, foundBy, openVectors, packVectors } from '../../kernel/search/index.ts'
import { type Duty, sweep } from '../../tenancy/jobs/index.ts'
import { type EmbeddingParts, embed } from './embed.ts'
import { titleOf } from './library.ts'
import { KNOWLEDGE_BELL } from './queries.ts'
import * as sql from './vector-queries.ts'
import { isSame } from './vectors.ts'

const EVERY_MS = 15_000
const HOUR = 3_600_000
const BATCH = 50
/** One request holds so many texts at most, and so many characters, because providers bound both. */
const MOST_TEXTS = 64
const MOST_CHARS = 60_000
/** Longer than the largest document takes, at a minute a request. */
const LEASE_SECONDS = 1_800
const FIRST_WAIT_SECONDS = 30
const LONGEST_WAIT_SECONDS = 3_600
/** Until a budget may have been raised, or its day may have ended. */
const NO_BUDGET_SECONDS = 600

export function embeddingDuties(parts: EmbeddingParts, space: Space): readonly Duty[] {
  const { house } = parts
  const { db, metrics } = house
  metrics.gauge(
    'tether_knowledge_to_embed',
    'Documents that wait for their vectors',
    async () => (await db.one(sql.countWaiting))?.waiting ?? 0,
  )
  return [
    {
      name: 'knowledge.embed',
      everyMs: EVERY_MS,
      wokenBy: KNOWLEDGE_BELL,
      work: (signal) =>
        sweep(
          house,
          {
            name: 'knowledge.embed',
            batch: BATCH,
            together: 1,
            look: (what) => db.rows(sql.listToEmbed, what),
            take: async ({ tenantId, ids: [name = ''] }) => ({
              taken: await embedDocument(parts, space, { tenantId, name }, signal),
            }),
          },
          signal,
        ),
    },
    {
      name: 'knowledge.embed_anew',
      everyMs: HOUR,
      work: (signal) =>
        sweep(
          house,
          {
            name: 'knowledge.embed_anew',
            batch: BATCH,
            look: (what) => db.rows(sql.listOfOthers, { ...what, ...space }),
            take: (these) => db.one(sql.makeDue, these),
          },
          signal,
        ),
    },
  ]
}

type Place = { readonly tenantId: number; readonly name: string }

/** Returns 1 if the document has its vectors now. */
async function embedDocument(parts: EmbeddingParts, space: Space, place: Place, signal: AbortSignal): Promise<number> {
  const { db, log } = parts.house
  const row = await db.one(sql.claimDocument, { ...place, leaseSeconds: LEASE_SECONDS })
  if (row === undefined) return 0
  try {
    const packed = await vectorsOf(parts, { ...place, row }, space, signal)
    if (packed === undefined) {
      await db.run(sql.putOff, { ...place, seconds: NO_BUDGET_SECONDS, tries: row.tries - 1 })
      return 0
    }
    const { version } = row
    const kept = await db.one(sql.keepVectors, { ...place, ...space, version, vectors: packed })
    if (kept !== undefined) await db.run(sql.dropOlder, { tenantId: place.tenantId, ...space })
    return 1
  } catch (error) {
    const isStopped = signal.aborted
    const seconds = isStopped ? 0 : waitAfter(row.tries, error)
    await db.run(sql.putOff, { ...place, seconds, tries: isStopped ? row.tries - 1 : row.tries })
    if (isStopped) return 0
    if (!(error instanceof ModelFailure)) throw error
    const fields = { tenantId: place.tenantId, tries: row.tries, reason: error.message }
    log.warn(fields, 'A document has no vectors yet, and is found by its words alone. We try again.')
    return 0
  }
}

function waitAfter(tries: number, error: unknown): number {
  const asked = error instanceof ModelFailure ? (error.retryAfterSeconds ?? 0) : 0
  return Math.min(LONGEST_WAIT_SECONDS, Math.max(asked, FIRST_WAIT_SECONDS * 2 ** Math.min(20, tries - 1)))
}

/** Undefined if a budget forbids it. */
async function vectorsOf(
  parts: EmbeddingParts,
  { tenantId, name, row }: Place & { readonly row: sql.DueRow },
  space: Space,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  const texts = textsOf(name, row)
  const digests = texts.map(digestOf)
  const known = knownVectors(row, space)
  const missing = new Map(
    digests.flatMap((digest, at) => (known.has(digest) ? [] : [[digest, texts[at] ?? ''] as const])),
  )
  const { plan, dailyCapUsd, monthlyCapUsd } = row
  const spender = { tenantId, plan, terms: { dailyCapUsd, monthlyCapUsd } }
  for (const batch of batchesOf([...missing])) {
    signal.throwIfAborted()
    const asked = { ...space, texts: batch.map(([, text]) => text), of: 'documents' as const, requestId: newId('req') }
    const vectors = await embed(parts, spender, asked, signal)
    if (vectors === undefined) return undefined
    for (const [at, [digest]] of batch.entries()) {
      const vector = vectors[at]
      if (vector !== undefined) known.set(digest, vector)
    }
  }
  const vectors = digests.map((digest) => known.get(digest)).filter((one) => one !== undefined)
  const [first] = vectors
  if (vectors.length !== digests.length || vectors.some(({ length }) => length !== first?.length)) {
    throw new ModelFailure('broken', 'The model of the embeddings has changed the length of its vectors.')
  }
  return packVectors(digests, vectors)
}

/** What a chunk means depends on what stands above it, so the same text is embedded that its words are found by. */
function textsOf(name: string, { text, chunks }: sql.DueRow): string[] {
  const title = titleOf(name)
  const bounds = JSON.parse(chunks) as [number, number, number, string | null][]
  return bounds.map(([, to, begins, heading]) =>
    foundBy(title, text, { from: begins, to, begins, heading }).toWellFormed(),
  )
}

function knownVectors({ vectors, model, dimensions }: sql.DueRow, space: Space): Map<string, Float32Array> {
  const isOurs = model !== null && dimensions !== null && isSame({ model, dimensions }, space)
  const held = isOurs && vectors !== null ? openVectors(new Uint8Array(vectors)) : undefined
  if (held === undefined) return new Map()
  const { places, numbers, dimensions: length } = held
  return new Map([...places].map(([digest, at]) => [digest, numbers.slice(at, at + length)]))
}

type Text = readonly [digest: string, text: string]

function batchesOf(texts: readonly Text[]): Text[][] {
  const batches: Text[][] = []
  let chars = 0
  for (const one of texts) {
    const last = batches.at(-1)
    if (last === undefined || last.length === MOST_TEXTS || chars + one[1].length > MOST_CHARS) {
      batches.push([one])
      chars = one[1].length
    } else {
      last.push(one)
      chars += one[1].length
    }
  }
  return batches
}
