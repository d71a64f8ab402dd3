import type { Queries } from '../../kernel/db/index.ts'
import { isObject, type Json, measureJson, parseJson } from '../../kernel/json/index.ts'
import type { Context, House } from '../../tenancy/context/index.ts'
import { type CatalogRow, findCatalog, findVersion } from './queries.ts'
import { type Tool, toTool } from './tool-spec.ts'

/** One version of a tenant's catalog. It never changes, so a turn that holds it keeps what it began with. */
export type Catalog = {
  readonly version: number
  readonly tools: readonly Tool[]
  find(name: string): Tool | undefined
}

/** As much of a request as says which catalog it began with. */
type CatalogAsked = {
  readonly db: Queries
  readonly asking: { readonly tenantId: number; readonly wiring: { readonly catalogVersion: number } }
}

export type Catalogs = {
  /** The catalog that this request began with: the version came with its credential. */
  of(ctx: CatalogAsked): Promise<Catalog>
}

/** The newest one, for regular work, which no request began. */
export async function latestCatalog(
  { db }: Pick<CatalogAsked, 'db'>,
  catalogs: Catalogs,
  tenantId: number,
): Promise<Catalog> {
  const { catalogVersion = 0 } = (await db.one(findVersion, { tenantId })) ?? {}
  return await catalogs.of({ db, asking: { tenantId, wiring: { catalogVersion } } })
}

/** In bytes of memory, by `weightOf`. */
const ROOM = 128 * 1024 * 1024
const noCatalog: Catalog = { version: 0, tools: [], find: () => undefined }

type Read = { readonly catalog: Catalog; readonly weight: number }

/** Parses a catalog once and keeps it while there is room: a call must not pay for the size of its catalog. */
export function openCatalogs({ log }: Pick<House, 'log'>, room = ROOM): Catalogs {
  // The newest version of each tenant; the tenant that asked longest ago comes first.
  const kept = new Map<number, Read>()
  let held = 0

  const forget = (tenantId: number) => {
    held -= kept.get(tenantId)?.weight ?? 0
    kept.delete(tenantId)
  }
  const keep = (tenantId: number, read: Read) => {
    // Whatever takes all the room by itself would drive out everybody else.
    if (read.weight > room || read.catalog.version < (kept.get(tenantId)?.catalog.version ?? 0)) return
    forget(tenantId)
    held += read.weight
    kept.set(tenantId, read)
    for (const oldest of kept.keys()) {
      if (held <= room) break
      forget(oldest)
    }
  }

  return {
    async of(ctx) {
      const { tenantId, wiring } = ctx.asking
      const version = wiring.catalogVersion
      if (version === 0) return noCatalog
      const known = kept.get(tenantId)
      if (known?.catalog.version === version) {
        kept.delete(tenantId)
        kept.set(tenantId, known)
        return known.catalog
      }
      const row = await ctx.db.one(findCatalog, { tenantId, version })
      const text = row?.tools ?? null
      if (text === null) return noCatalog
      const read = readTools(text, version) ?? broken(log, tenantId, version)
      keep(tenantId, read)
      return read.catalog
    },
  }
}

/** Undefined when the stored text can no longer be read as a list of tools. */
function readTools(text: string, version: number): Read | undefined {
  try {
    const value = parseJson(text)
    if (!Array.isArray(value) || !value.every(isObject)) return undefined
    const tools = value.map(toTool)
    const byName = new Map(tools.map((tool) => [tool.name, tool]))
    const catalog = { version, tools, find: (name: string) => byName.get(name) }
    return { catalog, weight: weightOf(text, value) }
  } catch {
    return undefined
  }
}

/** A request on a catalog that cannot be read is served no tools: better mute than wrong. */
function broken(log: House['log'], tenantId: number, version: number): Read {
  log.error(
    { tenantId, version },
    'A stored catalog cannot be read, so its tenant is served no tools. Register it again.',
  )
  return { catalog: { ...noCatalog, version }, weight: 1000 }
}

/** What a value takes at most, once calls have been checked against the schema that it may be a part of. */
const BYTES_OF_VALUE = 160
const BYTES_OF_CHARACTER = 2
const WHOLE = { maxDepth: Number.POSITIVE_INFINITY, maxSize: Number.POSITIVE_INFINITY }

/**
 * About how many bytes of memory a catalog takes. The number of its values decides: a megabyte of `{}` takes a hundred
 * times what one description of a megabyte does.
 */
export function weightOf(text: string, value: Json): number {
  const measured = measureJson(value, WHOLE)
  return (measured.ok ? measured.values : text.length) * BYTES_OF_VALUE + text.length * BYTES_OF_CHARACTER
}

/** The catalog as it was registered; `tools` is the tenant's own JSON text. Null before the first registration. */
export async function readCatalog({ db, asking }: Context): Promise<CatalogRow | null> {
  const { tenantId, wiring } = asking
  return (await db.one(findCatalog, { tenantId, version: wiring.catalogVersion })) ?? null
}
