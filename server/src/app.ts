// The service: the core, and the modules that it opens.
import { type Core, type CoreParts, coreRoutes, openCore } from './core.ts'
import { openServer } from './kernel/http/index.ts'
import { newId } from './kernel/ids/index.ts'
import { parseJson } from './kernel/json/index.ts'
import { type Module, openModules } from './module.ts'
import { endpointsOf, type Gate, isOwnDoor, type Route, requestLog, unmatchedAnswer } from './tenancy/access/index.ts'
import type { House } from './tenancy/context/index.ts'
import { type Duty, startDuties, type Working } from './tenancy/jobs/index.ts'
import { VERSION } from './version.ts'

export type AppParts = CoreParts & {
  /** The modules to open: `MODULES`, or fewer in a test. */
  readonly modules: readonly Module[]
  /** Routes that a test mounts beside the real ones, behind the same gate. */
  readonly moreRoutes?: readonly Route[]
}

export type App = Pick<Core, 'house' | 'pump' | 'rooms' | 'flush'> & {
  readonly routes: readonly Route[]
  readonly server: ReturnType<typeof openServer>
  /** The regular work: overdue rows, what a dead process left behind, and events and mails to send. */
  readonly duties: readonly Duty[]
  /** Resolves when the app may listen. Until the shared limits are ready, requests would be counted wrongly. */
  ready(): Promise<void>
  /** Tells balancers to send nothing more, while everything is still answered. */
  drain(): void
  /** Begins the regular work in this process. */
  startWork(): void
  /** Waits for what has been answered already and is still being done. */
  settled(): Promise<void>
  /** Writes what is queued and closes what the app opened. The database belongs to the caller. */
  close(): Promise<void>
}

export function openApp({ modules, moreRoutes = [], ...parts }: AppParts): App {
  const begun = modules.map((one) => ({ ...one, ...one.begin() }))
  const core = openCore(
    parts,
    begun.map(({ offers }) => offers),
    (path) => isOwnDoor(routes, path),
  )
  const { house, rooms, bell, gate } = core
  const opened = openModules(core, begun)
  const info = { version: VERSION, url: house.settings.http.publicUrl }
  const routes: readonly Route[] = [
    ...coreRoutes(core, () => routes, info),
    ...opened.flatMap((one) => one.routes),
    ...moreRoutes,
  ]
  const server = serverOf(house, routes, gate)
  const duties = [...core.duties, ...opened.flatMap(({ jobs = [] }) => jobs)]
  let working: Working | undefined
  const settled = async () => void (await Promise.all(opened.map((one) => one.settled?.())))
  return {
    house,
    rooms,
    routes,
    server,
    duties,
    pump: core.pump,
    ready: core.ready,
    drain() {
      core.drain()
      for (const one of opened) one.drain?.()
    },
    startWork() {
      working ??= startDuties({ ...house, bell }, duties)
    },
    settled,
    flush: core.flush,
    async close() {
      // Nothing new is to come here, and whoever reads what never ends by itself reads on elsewhere.
      core.letGo()
      for (const one of opened) one.letGo?.()
      await server.close()
      // The turns that still run have no reader any longer.
      await rooms.turns.close()
      for (const one of opened.toReversed()) await one.close?.()
      await settled()
      await working?.close()
      await core.close()
    },
  }
}

function serverOf(house: House, routes: readonly Route[], gate: Gate): App['server'] {
  const { settings } = house
  return openServer({
    endpoints: endpointsOf(routes, house, gate),
    unmatched: unmatchedAnswer(routes, gate),
    newRequestId: () => newId('req'),
    parseJson: (text) => parseJson(text),
    https: settings.http.publicUrl.startsWith('https:'),
    inFlight: { mostBytes: settings.rateLimit.tenantBytesInFlight, mostLarge: settings.rateLimit.tenantLargeBodies },
    ...requestLog(house),
  })
}
