// The previews of the tenants that ask, in memory. A request brings the version of its tenant's preview with its credential, so
// what is held is known to be true, or is read again before it is used.
import type { Context, House } from '../../tenancy/context/index.ts'
import { type HeldPreview, openContent } from './content.ts'
import { readContent } from './queries.ts'

export type Shelf = {
  /** The preview as this request's credential knows it, or newer; null where there is none. */
  of(ctx: Context): Promise<HeldPreview | null>
}

type Place = { readonly version: number; readonly preview: HeldPreview | null; readonly weight: number }

export function openShelf({ settings, metrics }: Pick<House, 'settings' | 'metrics'>): Shelf {
  const room = settings.preview.cacheBytes
  // The tenant that asked longest ago comes first.
  const places = new Map<number, Place>()
  const reading = new Map<string, Promise<Place>>()
  let held = 0
  metrics.gauge('tether_preview_bytes', 'Bytes of previews in memory', () => held)

  const forget = (tenantId: number) => {
    held -= places.get(tenantId)?.weight ?? 0
    places.delete(tenantId)
  }
  const keep = (tenantId: number, place: Place) => {
    // What would take half of the room by itself would drive out everybody else.
    if (place.weight > room / 2 || place.version < (places.get(tenantId)?.version ?? 0)) return
    forget(tenantId)
    held += place.weight
    places.set(tenantId, place)
    for (const oldest of places.keys()) {
      if (held <= room) break
      forget(oldest)
    }
  }
  const read = async ({ db }: Context, tenantId: number, version: number): Promise<Place> => {
    const row = await db.one(readContent, { tenantId })
    const preview = row === undefined ? null : await openContent(row.content, row.segment)
    const place = { version, preview, weight: preview?.weight ?? 256 }
    keep(tenantId, place)
    return place
  }

  return {
    async of(ctx) {
      const { tenantId, wiring } = ctx.asking
      const version = wiring.previewVersion
      if (version === 0) return null
      const place = places.get(tenantId)
      if (place !== undefined && place.version >= version) {
        places.delete(tenantId)
        places.set(tenantId, place)
        return place.preview
      }
      // Requests that miss the same version wait for one reading.
      const key = `${tenantId} ${version}`
      const begun = reading.get(key) ?? read(ctx, tenantId, version).finally(() => reading.delete(key))
      reading.set(key, begun)
      return (await begun).preview
    },
  }
}
