import type { Listing } from './call.ts'
import type { Claims } from './claims.ts'
import { json, type Reply } from './reply.ts'

/** 500 of them are some 80 KB, and the service reads 256. */
const PAGE = 500

const NOT_LISTED = json(404, {
  status: 'not_listed',
  message: 'This receiver lists no claims. Give it "listsClaims: true" and a store that can list them.',
})

/** Which writes of this workspace were claimed since then, without what was asked and what was answered. */
export async function listClaims(
  { list }: Claims<unknown>,
  { tenant, arguments: { since, after } }: Listing,
  isListed: boolean,
): Promise<Reply> {
  if (!isListed || list === undefined) return NOT_LISTED
  const found = await list({ tenantId: tenant.organization_id, since: new Date(since), after, limit: PAGE })
  const claims = found.map(({ key, tool, status, claimedAt }) => ({
    request_id: key,
    tool,
    status,
    claimed_at: claimedAt.toISOString(),
  }))
  return json(200, { type: 'claims', claims, next: found.length < PAGE ? null : (found.at(-1)?.key ?? null) })
}
