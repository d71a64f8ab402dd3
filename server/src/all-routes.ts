// Describes every route of the service, those of the core and of all modules, without opening anything.
import { coreRoutes, type RouteInfo, unopenedCore } from './core.ts'
import { describeModules } from './module.ts'
import { MODULES } from './modules.ts'
import type { Route } from './tenancy/access/index.ts'

export function everyRoute(info: RouteInfo): readonly Route[] {
  const core = unopenedCore(MODULES.map((one) => one.begin().offers))
  const routes: readonly Route[] = [...coreRoutes(core, () => routes, info), ...describeModules(MODULES)]
  return routes
}
