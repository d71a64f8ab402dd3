// The vectors of a tenant's documents, as a process holds them, and which of them a question is compared with.
import type { Space } from '../../kernel/model/index.ts'
import { openVectors, type Vectors } from '../../kernel/search/index.ts'
import type { HeldRow } from './queries.ts'

type OfSpace = { readonly space: Space; readonly vectors: Vectors }

export type HeldVectors = {
  /** The change that wrote them; 0 for none. */
  readonly stamp: number
  /** The newest first. */
  readonly sets: readonly OfSpace[]
  readonly weight: number
}

export const NO_VECTORS: HeldVectors = { stamp: 0, sets: [], weight: 0 }

type Row = Omit<HeldRow, 'name' | 'version' | 'text' | 'chunks' | 'segment'>

export function heldVectorsOf(row: Row): HeldVectors {
  const sets = [
    setOf(row.vectors, row.model, row.dimensions),
    setOf(row.olderVectors, row.olderModel, row.olderDimensions),
  ].filter((one) => one !== undefined)
  const weight = (row.vectors?.byteLength ?? 0) + (row.olderVectors?.byteLength ?? 0)
  return { stamp: row.stamp, sets, weight }
}

function setOf(packed: Buffer | null, model: string | null, dimensions: number | null): OfSpace | undefined {
  if (packed === null || model === null || dimensions === null) return undefined
  // A copy, because a small buffer of a driver is a part of a large one that it would keep alive.
  const vectors = openVectors(new Uint8Array(packed))
  return vectors === undefined ? undefined : { space: { model, dimensions }, vectors }
}

export const isSame = (one: Space, other: Space): boolean =>
  one.model === other.model && one.dimensions === other.dimensions

type WithVectors = { readonly vectors: HeldVectors }

/**
 * In which space a question is compared: the one that is set up now, unless more of the documents still have vectors of the one
 * before it. Undefined if none has any.
 */
export function servingSpace(documents: readonly WithVectors[], now: Space): Space | undefined {
  const counts: { space: Space; count: number }[] = []
  for (const { vectors } of documents) {
    for (const { space } of vectors.sets) {
      const known = counts.find((one) => isSame(one.space, space))
      if (known === undefined) counts.push({ space, count: 1 })
      else known.count++
    }
  }
  const most = Math.max(0, ...counts.map(({ count }) => count))
  const candidates = counts.filter(({ count }) => count === most).map(({ space }) => space)
  return candidates.find((space) => isSame(space, now)) ?? candidates[0]
}

export const vectorsIn = ({ vectors }: WithVectors, space: Space): Vectors | undefined =>
  vectors.sets.find((one) => isSame(one.space, space))?.vectors
