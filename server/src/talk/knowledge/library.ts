// The documents of the tenants that ask, in memory: their texts and the indexes of their chunks. A request brings the version of
// its tenant's knowledge with its credential, so what is held is known to be true, or is read again before it is used.
import { atOnce } from '../../kernel/json/index.ts'
import { spaceOf } from '../../kernel/model/index.ts'
import { foundBy, openSegment, packSegment, type Segment } from '../../kernel/search/index.ts'
import type { Context, House } from '../../tenancy/context/index.ts'
import { type HeldRow, readHeld } from './queries.ts'
import { type HeldVectors, heldVectorsOf, NO_VECTORS } from './vectors.ts'

export type HeldChunk = {
  readonly from: number
  readonly to: number
  readonly begins: number
  readonly heading: string | null
}

export type HeldDocument = {
  readonly name: string
  readonly version: number
  readonly text: string
  readonly chunks: readonly HeldChunk[]
  readonly segment: Segment
  readonly vectors: HeldVectors
  /** About how many bytes of memory it takes. */
  readonly weight: number
}

export type Library = {
  /** The documents as this request's credential knows them, or newer, by name. */
  of(ctx: Context): Promise<readonly HeldDocument[]>
}

type Shelf = { readonly version: number; readonly documents: readonly HeldDocument[]; readonly weight: number }

const nothing: readonly HeldDocument[] = []

export function openLibrary({ settings, metrics }: Pick<House, 'settings' | 'metrics'>): Library {
  const withVectors = spaceOf(settings.ai.embeddings) !== null
  const room = settings.knowledge.cacheBytes
  // The tenant that asked longest ago comes first.
  const shelves = new Map<number, Shelf>()
  const reading = new Map<string, Promise<Shelf>>()
  let held = 0
  metrics.gauge('tether_knowledge_bytes', 'Bytes of knowledge documents in memory', () => held)

  const forget = (tenantId: number) => {
    held -= shelves.get(tenantId)?.weight ?? 0
    shelves.delete(tenantId)
  }
  const keep = (tenantId: number, shelf: Shelf) => {
    // What would take half of the room by itself would drive out everybody else.
    if (shelf.weight > room / 2 || shelf.version < (shelves.get(tenantId)?.version ?? 0)) return
    forget(tenantId)
    held += shelf.weight
    shelves.set(tenantId, shelf)
    for (const oldest of shelves.keys()) {
      if (held <= room) break
      forget(oldest)
    }
  }
  const read = async ({ db }: Context, tenantId: number, version: number): Promise<Shelf> => {
    const held = shelves.get(tenantId)?.documents ?? []
    const known = new Map(held.map((one) => [one.version, one]))
    const knownVectors = new Map(held.map(({ vectors }) => [vectors.stamp, vectors]))
    const rows = await db.rows(readHeld, {
      tenantId,
      known: [...known.keys()],
      knownStamps: [...knownVectors.keys()],
      withVectors,
    })
    const documents = rows.map((row) => {
      const document = known.get(row.version) ?? heldOf(row)
      const vectors = row.stamp === 0 ? NO_VECTORS : (knownVectors.get(row.stamp) ?? heldVectorsOf(row))
      const weight = document.weight - document.vectors.weight + vectors.weight
      return document.vectors === vectors ? document : { ...document, vectors, weight }
    })
    const shelf = { version, documents, weight: documents.reduce((sum, { weight }) => sum + weight, 256) }
    keep(tenantId, shelf)
    return shelf
  }

  return {
    async of(ctx) {
      const { tenantId, wiring } = ctx.asking
      const version = wiring.knowledgeVersion
      if (version === 0) return nothing
      const shelf = shelves.get(tenantId)
      if (shelf !== undefined && shelf.version >= version) {
        shelves.delete(tenantId)
        shelves.set(tenantId, shelf)
        return shelf.documents
      }
      // Requests that miss the same version wait for one reading.
      const key = `${tenantId} ${version}`
      const begun = reading.get(key) ?? read(ctx, tenantId, version).finally(() => reading.delete(key))
      reading.set(key, begun)
      return (await begun).documents
    },
  }
}

/** A row that the reader did not hold comes with everything. */
function heldOf({ name, version, text, chunks, segment }: HeldRow): HeldDocument {
  const whole = text ?? ''
  const bounds = JSON.parse(chunks ?? '[]') as [number, number, number, string | null][]
  const own = bounds.map(([from, to, begins, heading]) => ({ from, to, begins, heading }))
  const packed = new Uint8Array(segment ?? [])
  return {
    name,
    version,
    text: whole,
    chunks: own,
    segment: openSegment(packed) ?? rebuilt(name, whole, own),
    vectors: NO_VECTORS,
    weight: packed.byteLength + 2 * whole.length + 64 * own.length + 512,
  }
}

/** An index that an older release packed is made again from the text. */
function rebuilt(name: string, text: string, chunks: readonly HeldChunk[]): Segment {
  const title = titleOf(name)
  const segment = openSegment(atOnce(packSegment(chunks.map((chunk) => foundBy(title, text, chunk)))))
  if (segment === undefined) throw new Error('A segment that this release packed does not open.')
  return segment
}

/** The words of a document's name, which are often the only ones that say what it is about: `returns-policy.md`. */
export const titleOf = (name: string): string =>
  name.replace(/\.(?:md|markdown|txt|text)$/i, '').replace(/[-_.]+/g, ' ')
