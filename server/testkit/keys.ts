import type { KeyKind } from '@tether/contract'
import { statement } from '../src/kernel/db/index.ts'

export const insertAnyKey = statement<unknown, { tenantId: number; hash: Buffer; prefix: string; kind: KeyKind }>(
  'testkit.insert_key',
  `insert into keys (tenant_id, hash, prefix, kind) values ($tenantId::int, $hash::bytea, $prefix::text, $kind::text)`,
)
