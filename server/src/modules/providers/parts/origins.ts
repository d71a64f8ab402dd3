import { readOrigins, writeOrigins } from '../../../api/embed/index.ts'
import { type Json, jsonEqual } from '../../../kernel/json/index.ts'
import { APPLIED, nothingToCopy, type Part, UNCHANGED } from '../part.ts'

export const originsPart: Part = {
  /** Those that are held go nowhere, and so to no business. */
  async read(ctx) {
    const { origins } = await readOrigins(ctx)
    return origins.length === 0 ? nothingToCopy('origin', 'Register some with PUT /v1/origins') : { value: origins }
  },
  async place(ctx, origins) {
    const present = await readOrigins(ctx)
    if (jsonEqual(present.origins, origins) && present.held.length === 0) return UNCHANGED
    await writeOrigins(ctx, { origins: stringsIn(origins) })
    return APPLIED
  },
}

const stringsIn = (value: Json): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
