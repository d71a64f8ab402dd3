// Signed-in people, for tests that are not about signing in.

import { type Database, unlisted } from '../src/kernel/db/index.ts'
import { newSessionToken } from '../src/tenancy/access/index.ts'

const place = unlisted<unknown, { tenantId: number; personId: number; hash: Buffer }>(
  'test.place_session',
  `insert into user_sessions (tenant_id, hash, person_id, expires_at)
   values ($tenantId::int, $hash::bytea, $personId::bigint, now() + interval '12 hours')`,
)

/** The token of a new session of this person. */
export async function placeSession(db: Database, tenantId: number, personId: number): Promise<string> {
  const { token, hash } = newSessionToken()
  await db.run(place, { tenantId, personId, hash })
  return token
}
