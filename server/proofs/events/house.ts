// The service in this process, on a database of the proof, so that a statement of it can be spoiled.

import { type App, openApp } from '../../src/app.ts'
import { systemClock } from '../../src/kernel/clock/index.ts'
import { openKeyring } from '../../src/kernel/crypto/index.ts'
import type { Database } from '../../src/kernel/db/index.ts'
import { openLog } from '../../src/kernel/log/index.ts'
import { MODULES } from '../../src/modules.ts'
import { createTenant, setWebhookUrl } from '../../src/tenancy/tenants/index.ts'
import { testSettings } from '../../testkit/house.ts'

export function openProofApp(db: Database, settings: Readonly<Record<string, string>>): App {
  const read = testSettings({ ...settings })
  return openApp({
    settings: read,
    db,
    log: openLog({ level: 'silent', format: 'json' }),
    clock: systemClock,
    keyring: openKeyring({ key: read.encryption.key, previous: [] }),
    modules: MODULES,
  })
}

export async function openTenant({ house }: App, url: string): Promise<number> {
  const input = { name: 'Corner Shop', plan: 'free', selfServe: false, email: null, confirmed: true } as const
  const { tenantId } = await createTenant(house, input)
  await setWebhookUrl(house, tenantId, url)
  return tenantId
}

/** The same database, where one statement is another one. */
export function spoiled(db: Database, name: string, change: (text: string) => string): Database {
  return {
    ...db,
    rows: (statement, ...values) =>
      db.rows(statement.name === name ? { ...statement, text: change(statement.text) } : statement, ...values),
  }
}
