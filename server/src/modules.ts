// Every module of the service, in the order in which they open. They close in reverse.
import type { Module } from './module.ts'
import { channels } from './modules/channels/module.ts'
import { console } from './modules/console/module.ts'
import { docs } from './modules/docs/module.ts'
import { listening } from './modules/listening/module.ts'
import { offline } from './modules/offline/module.ts'
import { openApiImport } from './modules/openapi-import/module.ts'
import { previews } from './modules/previews/module.ts'
import { providers } from './modules/providers/module.ts'
import { recovery } from './modules/recovery/module.ts'
import { upstreams } from './modules/upstreams/module.ts'

export const MODULES: readonly Module[] = [
  openApiImport,
  upstreams,
  channels,
  previews,
  providers,
  offline,
  listening,
  recovery,
  docs,
  // Shows the pages of those before it.
  console,
]
