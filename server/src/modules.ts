// Every module of the service, in the order in which they open. They close in reverse.
import type { Module } from './module.ts'
import { channels } from './modules/channels.ts'
import { console } from './modules/console.ts'
import { docs } from './modules/docs.ts'
import { listening } from './modules/listening.ts'
import { offline } from './modules/offline.ts'
import { openApiImport } from './modules/openapi-import.ts'
import { previews } from './modules/previews.ts'
import { providers } from './modules/providers.ts'
import { upstreams } from './modules/upstreams.ts'

export const MODULES: readonly Module[] = [
  openApiImport,
  upstreams,
  channels,
  previews,
  providers,
  offline,
  listening,
  docs,
  // Shows the pages of those before it.
  console,
]
