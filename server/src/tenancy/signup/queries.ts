import { statement } from '../../kernel/db/index.ts'
import { oldRows } from '../jobs/index.ts'

/** Workspaces are created one after the other across all processes, because limits are counted under this lock. */
export const lockSignups = statement<unknown>('signup.lock_signups', 'select pg_advisory_xact_lock(7303014552::bigint)')

/** The lock of one caller, across all processes. */
export const lockCaller = statement<unknown, { callerHash: string }>(
  'signup.lock_caller',
  'select pg_advisory_xact_lock(hashtextextended($callerHash::text, 7303014553))',
)

// A limit of N is reached while the Nth newest row is within its window, and it ends when that row leaves.
const wait = (at: string, window: string) => `ceil(extract(epoch from ${at} + interval '${window}' - now()))::int`

export type SignupWaits = { hour: number | null; caller: number | null }

/** How many seconds each limit on new workspaces still lasts; null where it is not reached. */
export const signupWaits = statement<SignupWaits, { callerHash: string; mostInAll: number; mostOfCaller: number }>(
  'signup.signup_waits',
  `select (select ${wait('at', '1 hour')} from signup_ledger
            where kind = 'signup' and at > now() - interval '1 hour'
            order by at desc offset greatest($mostInAll::int, 1) - 1 limit 1) as hour,
          (select ${wait('at', '24 hours')} from signup_ledger
            where kind = 'signup' and hash = $callerHash::text and at > now() - interval '24 hours'
            order by at desc offset greatest($mostOfCaller::int, 1) - 1 limit 1) as caller`,
)

export const waitForLinkOfCaller = statement<{ seconds: number }, { callerHash: string; most: number }>(
  'signup.wait_for_link_of_caller',
  `select ${wait('at', '24 hours')} as seconds from signup_ledger
    where kind = 'link' and hash = $callerHash::text and at > now() - interval '24 hours'
    order by at desc offset greatest($most::int, 1) - 1 limit 1`,
)

// The tally's table keeps its first name, because older builds, which use it, still run during a migration.
export type TallyKind = 'signup' | 'link' | 'address' | 'left' | 'verify'

export const noteInTally = statement<unknown, { kind: TallyKind; hash: string }>(
  'signup.note',
  'insert into signup_ledger (kind, hash) values ($kind::text, $hash::text)',
)

export const countInTally = statement<{ count: number }, { kind: TallyKind; hash: string }>(
  'signup.count_in_tally',
  'select count(*)::int as count from signup_ledger where kind = $kind::text and hash = $hash::text',
)

/** Deletes what no limit needs any longer. Addresses that were left, and links that made a workspace, stay. */
export const forgetTally = statement<unknown>(
  'signup.forget_tally',
  `delete from signup_ledger where kind in ('signup', 'link') and at < now() - interval '2 days'`,
)

export type LinkPurpose = 'confirm' | 'recover' | 'console'

/** Only the newest link works; the same statement stops those before it. */
export const insertLink = statement<
  unknown,
  { tenantId: number; linkId: string; purpose: LinkPurpose; expiresAt: Date }
>(
  'signup.insert_link',
  `with older as (
     update account_links set superseded_at = now()
      where tenant_id = $tenantId::int and purpose = $purpose::text and used_at is null and superseded_at is null
   )
   insert into account_links (tenant_id, link_id, purpose, expires_at)
   values ($tenantId::int, $linkId::text, $purpose::text, $expiresAt::timestamptz)`,
)

export const waitForLink = statement<{ seconds: number }, { tenantId: number; purpose: LinkPurpose; most: number }>(
  'signup.wait_for_link',
  `select ${wait('created_at', '1 hour')} as seconds from account_links
    where tenant_id = $tenantId::int and purpose = $purpose::text and created_at > now() - interval '1 hour'
    order by created_at desc offset greatest($most::int, 1) - 1 limit 1`,
)

/** Finds a link that is still valid according to its row; its sealed content says the rest. */
export const findLink = statement<{ expiresAt: Date }, { tenantId: number; linkId: string; purpose: LinkPurpose }>(
  'signup.find_link',
  `select expires_at as "expiresAt" from account_links
    where tenant_id = $tenantId::int and link_id = $linkId::text and purpose = $purpose::text
      and used_at is null and superseded_at is null`,
)

export const spendLink = statement<unknown, { tenantId: number; linkId: string; purpose: LinkPurpose }>(
  'signup.spend_link',
  `update account_links set used_at = now()
    where tenant_id = $tenantId::int and link_id = $linkId::text and purpose = $purpose::text
      and used_at is null and superseded_at is null`,
)

export const supersedeLinks = statement<unknown, { tenantId: number }>(
  'signup.supersede_links',
  `update account_links set superseded_at = now()
    where tenant_id = $tenantId::int and used_at is null and superseded_at is null`,
)

const IS_OLD_LINK = `expires_at < now() - interval '7 days' and created_at < now() - interval '7 days'`

export const oldLinks = oldRows('signup.forget_links', {
  table: 'account_links',
  columns: ['link_id'],
  type: 'text',
  due: IS_OLD_LINK,
})

/**
 * Writes the same single row for every address, known or not. It wakes nobody: if work for a known address began at
 * once, it would slow down the next request, which somebody could measure.
 */
export const askRecovery = statement<unknown, { emailHash: string; callerHash: string; language: string | null }>(
  'signup.ask_recovery',
  `with noted as (
     insert into signup_ledger (kind, hash) values ('link', $callerHash::text)
   )
   insert into recovery_requests (email_hash, caller_hash, language) values ($emailHash::text, $callerHash::text, $language::text)`,
)

export type RecoveryRequest = { requestId: string; emailHash: string; callerHash: string; language: string | null }

/** The requests of a table, which are answered one by one, the oldest first. */
export const waitingRequests = <Request>(name: string, table: string, more = '') => ({
  /** Takes a request in the transaction that answers it. If that fails, the request is back. */
  take: statement<Request>(
    `signup.take_${name}`,
    `delete from ${table}
    where request_id = (select request_id from ${table} order by request_id limit 1 for update skip locked)
   returning request_id::text as "requestId", email_hash as "emailHash", language${more}`,
  ),
  drop: statement<unknown, { requestId: string }>(
    `signup.drop_${name}`,
    `delete from ${table} where request_id = $requestId::text::bigint`,
  ),
})

export const recoveries = waitingRequests<RecoveryRequest>(
  'recovery',
  'recovery_requests',
  ', caller_hash as "callerHash"',
)

export const noteRecovery = statement<unknown, { tenantId: number; callerHash: string }>(
  'signup.note_recovery',
  `insert into account_events (tenant_id, type, caller_hash) values ($tenantId::int, 'recovery.requested', $callerHash::text)`,
  { guest: { account_events: 'asking for a recovery and redeeming it are account events' } },
)

export type RedeemedRow = { name: string; revokedKeys: number }

/**
 * One statement uses up the link, stops the old secret keys and starts the new one. A secret key that is newer than the
 * link makes it void.
 */
export const redeemLink = statement<
  RedeemedRow,
  {
    tenantId: number
    linkId: string
    keyHash: Buffer
    keyPrefix: string
    signingSecret: string | null
    callerHash: string | null
  }
>(
  'signup.redeem',
  `with link as (
     update account_links l set used_at = now()
      where l.tenant_id = $tenantId::int and l.link_id = $linkId::text and l.purpose = 'recover'
        and l.used_at is null and l.superseded_at is null
        and not exists (select 1 from keys k
                         where k.tenant_id = $tenantId::int and k.kind = 'secret' and k.created_at > l.created_at)
     returning l.tenant_id
   ), gone as (
     update keys k set revoked_at = now() from link
      where k.tenant_id = $tenantId::int and k.kind = 'secret' and k.revoked_at is null
     returning k.prefix
   ), made as (
     insert into keys (tenant_id, hash, prefix, kind, label)
     select tenant_id, $keyHash::bytea, $keyPrefix::text, 'secret', 'after a recovery' from link
     returning tenant_id, prefix
   ), turned as (
     update tenants t
        set previous_signing_secret =
              case when $signingSecret::text is null then t.previous_signing_secret else t.signing_secret end,
            signing_secret_rotated_at =
              case when $signingSecret::text is null then t.signing_secret_rotated_at else moment.at end,
            signing_secret = coalesce($signingSecret::text, t.signing_secret)
       from link, (select now() as at) as moment
      where t.tenant_id = $tenantId::int and t.deleted_at is null
     returning t.tenant_id, t.name
   ), announced as (
     insert into account_events (tenant_id, type, key_prefix, caller_hash, detail)
     select tenant_id, 'recovery.redeemed', prefix, $callerHash::text, (select count(*) from gone) || ' keys revoked' from made
     union all
     select tenant_id, 'signing_secret.rotated', null, null, null from made where $signingSecret::text is not null
   )
   select turned.name, (select count(*)::int from gone) as "revokedKeys" from turned`,
  {
    guest: {
      keys: 'a recovery revokes the secret keys and issues a new one',
      account_events: 'asking for a recovery and redeeming it are account events',
      tenants: 'a recovery replaces the signing secret',
    },
  },
)
