// The migrations that the files of server/migrations replaced, for tests of databases that ran them.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Migrations } from '../src/kernel/db/index.ts'

const FIXTURE = new URL('../src/kernel/db/fixtures/before-squash.sql', import.meta.url)

export function oldChain(): Migrations {
  const [, ...parts] = readFileSync(FIXTURE, 'utf8').split(/^--- (.+\.sql)\n/m)
  return {
    files: parts.flatMap((name, at) => {
      const text = parts[at + 1] ?? ''
      return at % 2 === 0 ? [{ name, text, checksum: createHash('sha256').update(text).digest('hex') }] : []
    }),
  }
}

/** Rows of several kinds, some in the form that earlier versions wrote. */
export const OLD_ROWS = `
  insert into tenants (name, plan, email_hash) values ('One', 'team', 'hash of one'), ('Two', 'free', null);
  insert into keys (hash, tenant_id, prefix, kind) select sha256(t::text::bytea), t, 'sk_' || t, 'secret' from generate_series(1, 2) t;
  insert into users (tenant_id, user_id, display_name, email) values (1, 7, 'Person', 'person@shop.example');
  insert into actions (tenant_id, action_id, tool, domain, title, summary, arguments, payload_hash, risk, state, idempotency_key, expires_at)
    select 1, gen_random_uuid(), 'refund', 'shop', 'Refund', 'Refund', '{}', 'hash', 'low', 'pending', 'act_' || n, now()
      from generate_series(1, 3) n;
  insert into audit_events (tenant_id, tool, event, source) select 1, 'refund', 'proposed', 'test' from generate_series(1, 3);
  insert into outbox (tenant_id, event_id, event) values (1, 'evt_1', 'action.pending');
  insert into turn_frames (tenant_id, request_id, n, slot) values (1, 'req_1', 1, 0);`
