import type { KeyKind } from '@tether/contract'
import { statement } from '../src/foundation/db/index.ts'

export const insertAnyKey = statement<unknown, { tenantId: number; hash: Buffer; prefix: string; kind: KeyKind }>(
  'testkit.insert_key',
  `insert into keys (tenant_id, hash, prefix, kind) values ($tenantId::int, $hash::bytea, $prefix::text, $kind::text)`,
)

/** What a sandbox key needs to be answered: a sandbox whose site was read. */
export const insertReadySandbox = statement<unknown, { tenantId: number }>(
  'testkit.insert_sandbox',
  `insert into sandboxes (tenant_id, state, site, crawl_until, expires_at)
   values ($tenantId::int, 'ready', 'https://shop.example', now(), now() + interval '1 hour')
   on conflict (tenant_id) do nothing`,
)
