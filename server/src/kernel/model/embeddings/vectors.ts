import { ModelFailure } from '../port.ts'

/** Holds what a provider answered against what it was asked, and makes every vector as long as 1. */
export function checkedVectors(
  sent: readonly unknown[],
  wanted: { count: number; dimensions: number },
): Float32Array[] {
  if (sent.length !== wanted.count) {
    throw broken(`answered ${sent.length} vectors for ${wanted.count} texts`)
  }
  const vectors = sent.map(unitVector)
  const length = wanted.dimensions > 0 ? wanted.dimensions : (vectors[0]?.length ?? 0)
  const other = vectors.find((one) => one.length !== length)
  if (other !== undefined) throw broken(`answered a vector of ${other.length} numbers where ${length} were expected`)
  return vectors
}

function unitVector(sent: unknown): Float32Array {
  if (!Array.isArray(sent) || sent.length === 0) throw broken('answered no vector')
  const numbers = sent.map(Number)
  const length = Math.hypot(...numbers)
  if (!Number.isFinite(length) || length === 0) throw broken('answered a vector that points nowhere')
  return Float32Array.from(numbers, (one) => one / length)
}

const broken = (what: string): ModelFailure => new ModelFailure('broken', `The model provider ${what}.`)
