import { inTurns } from '../../kernel/json/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import { lexiconOf } from './lexicon.ts'
import { findPack } from './queries.ts'
import { domainsIn, growTree, type WordTree } from './word-tree.ts'

type Vocabulary = {
  /** The domains whose words a question has, the likeliest first, by the pack that this request began with. */
  domainsIn(ctx: Context, question: string): Promise<readonly string[]>
}

type Read = { readonly version: number; readonly tree: WordTree; readonly weight: number }

/** In characters of stored lexicons. A word of them takes about 300 bytes in memory. */
const ROOM = 1_000_000
/** Whatever else an entry takes. */
const LEAST_WEIGHT = 200

/** Reads a pack once and keeps it while there is room: a question must not pay for the size of its vocabulary. */
export function openVocabulary(room = ROOM): Vocabulary {
  // The newest version of each tenant; the tenant that asked longest ago comes first.
  const kept = new Map<number, Read>()
  let held = 0

  const forget = (tenantId: number) => {
    held -= kept.get(tenantId)?.weight ?? 0
    kept.delete(tenantId)
  }
  const keep = (tenantId: number, read: Read) => {
    if (read.version < (kept.get(tenantId)?.version ?? 0)) return
    forget(tenantId)
    held += read.weight
    kept.set(tenantId, read)
    for (const oldest of kept.keys()) {
      if (held <= room) break
      forget(oldest)
    }
  }
  const treeOf = async ({ db, asking }: Context): Promise<WordTree | undefined> => {
    const { tenantId, wiring } = asking
    const version = wiring.packVersion
    if (version === 0) return undefined
    const known = kept.get(tenantId)
    if (known?.version === version) {
      kept.delete(tenantId)
      kept.set(tenantId, known)
      return known.tree
    }
    const row = await db.one(findPack, { tenantId, version })
    if (row === undefined) return undefined
    const tree = await inTurns(growTree(lexiconOf(row.lexicon)))
    keep(tenantId, { version, tree, weight: LEAST_WEIGHT + row.lexicon.length })
    return tree
  }

  return {
    async domainsIn(ctx, question) {
      const tree = await treeOf(ctx)
      return tree === undefined ? [] : domainsIn(tree, question)
    },
  }
}
