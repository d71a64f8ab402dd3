import type { House } from '../../tenancy/context/index.ts'
import { type Duty, type Sweep, sweep } from '../../tenancy/jobs/index.ts'
import { WATCH_EVERY_MINUTES } from './limits.ts'
import { beginLook, listUnseen } from './queries.ts'
import type { KnownServers } from './reaching.ts'
import { look } from './upstreams.ts'

const MINUTE = 60_000
const BATCH = 100
/** A server of which nobody hears any more is not waited for as long as in a call. */
const MOST_SECONDS = 10

/** Looks at servers that nobody calls: what has changed or vanished is seen before somebody needs it. */
export function upstreamDuties(house: House, servers: KnownServers): readonly Duty[] {
  const { db, settings } = house
  const seconds = Math.min(MOST_SECONDS, settings.toolTransport.timeoutSeconds)
  const unseen: Sweep = {
    name: 'upstreams.watch',
    batch: BATCH,
    together: 1,
    look: (what) => db.rows(listUnseen, { ...what, minutes: WATCH_EVERY_MINUTES }),
    async take({ tenantId, ids: [name = ''] }) {
      const at = { tenantId, name, minutes: WATCH_EVERY_MINUTES, leaseSeconds: 2 * seconds }
      const row = await db.one(beginLook, at)
      if (row !== undefined) await look({ ...house, servers, asking: { tenantId } }, row, seconds)
      return { taken: row === undefined ? 0 : 1 }
    },
  }
  return [{ name: 'upstreams.watch', everyMs: MINUTE, work: (signal) => sweep(house, unseen, signal) }]
}
