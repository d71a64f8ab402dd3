import { isObject, parseJson } from '../../foundation/json/index.ts'
import type { Context, House } from '../../ground/context/index.ts'
import { findCatalog } from './queries.ts'
import { type Tool, toTool } from './tool-spec.ts'

/** One version of a tenant's catalog. It never changes, so a turn that holds it keeps what it began with. */
export type Catalog = {
  readonly version: number
  readonly tools: readonly Tool[]
  find(name: string): Tool | undefined
}

export type Catalogs = {
  /** The catalog that this request began with: the version came with its credential. */
  of(ctx: Context): Promise<Catalog>
}

// In characters of the stored texts; the parsed catalogs take a few times that.
const KEPT = 32 * 1024 * 1024
const noCatalog: Catalog = { version: 0, tools: [], find: () => undefined }

type Kept = { readonly catalog: Catalog; readonly size: number }

/** Parses a version once and keeps it while there is room: a call must not pay for the size of its catalog. */
export function openCatalogs({ log }: Pick<House, 'log'>, room = KEPT): Catalogs {
  const kept = new Map<string, Kept>()
  let held = 0

  const keep = (key: string, entry: Kept) => {
    held += entry.size
    kept.set(key, entry)
    for (const [oldest, { size }] of kept) {
      if (held <= room) break
      kept.delete(oldest)
      held -= size
    }
  }

  return {
    async of(ctx) {
      const { tenantId, wiring } = ctx.asking
      const version = wiring.catalogVersion
      if (version === 0) return noCatalog
      const key = `${tenantId}:${version}`
      const known = kept.get(key)
      if (known !== undefined) {
        kept.delete(key)
        kept.set(key, known)
        return known.catalog
      }
      const row = await ctx.db.one(findCatalog, { tenantId, version })
      const catalog = row === undefined ? noCatalog : (readTools(row.tools, version) ?? broken(log, tenantId, version))
      if (!kept.has(key)) keep(key, { catalog, size: row?.tools.length ?? 0 })
      return catalog
    },
  }
}

/** Undefined when the stored text can no longer be read as a list of tools. */
function readTools(text: string, version: number): Catalog | undefined {
  try {
    const value = parseJson(text)
    if (!Array.isArray(value) || !value.every(isObject)) return undefined
    const tools = value.map(toTool)
    const byName = new Map(tools.map((tool) => [tool.name, tool]))
    return { version, tools, find: (name) => byName.get(name) }
  } catch {
    return undefined
  }
}

/** A request on a catalog that cannot be read is served no tools: better mute than wrong. */
function broken(log: House['log'], tenantId: number, version: number): Catalog {
  log.error(
    { tenantId, version },
    'A stored catalog cannot be read, so its tenant is served no tools. Register it again.',
  )
  return { ...noCatalog, version }
}
