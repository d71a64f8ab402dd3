import path from 'node:path'
import type { App, AppParts } from '../src/app.ts'
import type { Database } from '../src/foundation/db/index.ts'
import { enrol } from '../src/ground/shards/index.ts'
import { openSeveral } from '../src/several.ts'

type Name = 'first' | 'second'

/** A service over two databases. What a test looks into, its house and its events, is over the one that takes new workspaces. */
export async function openOverTwo(
  parts: AppParts,
  first: Database,
  newTenants: Name,
  opened = Promise.resolve(),
): Promise<App> {
  await enrol([
    { name: 'first', db: first },
    { name: 'second', db: parts.db },
  ])
  const { settings } = parts
  const { usage } = settings.ai
  const own = { ...usage, spillDirectory: path.join(usage.spillDirectory, 'first') }
  const ofFirst = { ...settings, ai: { ...settings.ai, usage: own } }
  return openSeveral(
    [
      { ...parts, settings: ofFirst, db: first, name: 'first', opened: Promise.resolve() },
      { ...parts, name: 'second', opened },
    ],
    newTenants,
  )
}
