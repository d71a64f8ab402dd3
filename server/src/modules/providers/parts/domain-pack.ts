import { type Json, jsonEqual } from '../../../kernel/json/index.ts'
import { readPack, replacePack } from '../../../talk/vocabulary/index.ts'
import { APPLIED, nothingToCopy, type Part, UNCHANGED } from '../part.ts'

export const domainPackPart: Part = {
  async read(ctx) {
    const { lexicon } = await readPack(ctx)
    return Object.keys(lexicon).length === 0
      ? nothingToCopy('domain pack', 'Set one with PUT /v1/domain-pack')
      : { value: lexicon as Json }
  },
  async place(ctx, lexicon) {
    if (jsonEqual((await readPack(ctx)).lexicon as Json, lexicon)) return UNCHANGED
    await replacePack(ctx, { lexicon })
    return APPLIED
  },
}
