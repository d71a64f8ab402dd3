import type { ChannelKind } from '@tether/contract'
import { statement } from '../../kernel/db/index.ts'
import { oldRows, SWEEP, type SweepFound, type SweepLook } from '../../tenancy/jobs/index.ts'

/** Rings when a notice has become messages, so that they are sent at once. */
export const POSTS_BELL = 'channels'

/** In the transaction that takes the notice: one message for each channel that the workspace has now. */
export const insertPosts = statement<unknown, { tenantId: number; actionId: string; occasion: number }>(
  'channels.insert_posts',
  `insert into notice_posts (tenant_id, post_id, kind, action_id, occasion)
   select c.tenant_id, gen_random_uuid(), c.kind, $actionId::uuid, $occasion::int
     from notice_channels c where c.tenant_id = $tenantId::int
   on conflict do nothing`,
  { wakes: [POSTS_BELL] },
)

/** The kinds of channel that this version can send to, and those of them whose messages it can rewrite. */
export type Kinds = { kinds: readonly ChannelKind[]; rewritable: readonly ChannelKind[] }

/**
 * SQL: the progress of a write, as far as a message shows it. A message is due while it shows an older standing. It shows nothing new
 * while the write runs. Where messages cannot be rewritten, there is one when the write begins to wait, and one when it ends.
 */
const standing = (tenantId: string): string =>
  `case when p.kind <> all ($rewritable::text[]) then a.state else a.state || coalesce(' ' || a.verification_status, '') || ' ' ||
        (select count(*) from approvals y
          where y.tenant_id = ${tenantId} and y.action_id = a.action_id and y.payload_hash = a.payload_hash)::text end`

const isOpen = `p.kind = any ($kinds::text[]) and p.done_at is null and p.due_at <= now() and (p.lease_until is null or p.lease_until <= now())`

export const listDue = statement<SweepFound, SweepLook & Kinds>(
  'channels.list_due',
  `select p.tenant_id as "tenantId", p.post_id::text as id
     from notice_posts p
     join notice_channels c on c.tenant_id = p.tenant_id and c.kind = p.kind
     join actions a on a.tenant_id = p.tenant_id and a.action_id = p.action_id
    where ${isOpen} and (c.rests_until is null or c.rests_until <= now()) and a.state <> 'executing'
      and p.shown is distinct from ${standing('a.tenant_id')} and p.tenant_id <> all ($passedOver::int[])
    order by p.due_at
    limit $limit::int`,
  { looks: SWEEP },
)

type At = { tenantId: number; postId: string }
type Held = At & { lease: string }

export type PostRow = {
  postId: string
  kind: ChannelKind
  actionId: string
  occasion: number
  place: string | null
  message: string | null
  shown: string | null
  /** How the write stands now: what the message shows once it is written. */
  standing: string
  lease: string
}

/** The right to write one message, for a while. Its write is read afterwards, so that it shows this standing or a later one. */
export const claimPost = statement<PostRow, At & Kinds & { leaseSeconds: number }>(
  'channels.claim_post',
  `update notice_posts p
      set lease = fresh.lease, lease_until = now() + make_interval(secs => $leaseSeconds::float8),
          attempts = p.attempts + 1
     from actions a, notice_channels c, (select gen_random_uuid() as lease) as fresh
    where p.tenant_id = $tenantId::int and p.post_id = $postId::uuid and ${isOpen}
      and a.tenant_id = $tenantId::int and a.action_id = p.action_id
      and c.tenant_id = $tenantId::int and c.kind = p.kind and (c.rests_until is null or c.rests_until <= now())
      and a.state <> 'executing' and p.shown is distinct from ${standing('$tenantId::int')}
   returning p.post_id::text as "postId", p.kind, p.action_id::text as "actionId", p.occasion, p.place, p.message, p.shown,
             ${standing('$tenantId::int')} as standing, p.lease::text as lease`,
)

/** Where it stands is told once, by whoever sent it. */
export const recordPost = statement<
  { postId: string },
  Held & { place: string | null; message: string | null; shown: string; done: boolean }
>(
  'channels.record_post',
  `update notice_posts p
      set place = coalesce(p.place, $place::text), message = coalesce(p.message, $message::text), shown = $shown::text, attempts = 0,
          done_at = case when $done::boolean then moment.at end, lease = null, lease_until = null, due_at = moment.at
     from (select now() as at) as moment
    where p.tenant_id = $tenantId::int and p.post_id = $postId::uuid and p.lease = $lease::uuid
   returning p.post_id::text as "postId"`,
)

/** Somebody else has written it meanwhile, and what came later may show less: it is written again. */
export const writeAgain = statement<unknown, At>(
  'channels.write_again',
  `update notice_posts set shown = coalesce(shown, '') || ' again', done_at = null, due_at = now()
    where tenant_id = $tenantId::int and post_id = $postId::uuid`,
)

/** After a wait that doubles, up to five minutes. */
export const postponePost = statement<unknown, Held>(
  'channels.postpone_post',
  `with mine as (
     select post_id, now() + make_interval(secs => least(300, 2 ^ least(attempts, 10))) as later from notice_posts
      where tenant_id = $tenantId::int and post_id = $postId::uuid and lease = $lease::uuid
        for update
   )
   update notice_posts p set lease = null, lease_until = null, due_at = mine.later
     from mine
    where p.tenant_id = $tenantId::int and p.post_id = mine.post_id`,
)

/** Nothing more can or need be written there. */
export const dropPost = statement<unknown, Held>(
  'channels.drop_post',
  `update notice_posts set lease = null, lease_until = null, done_at = now()
    where tenant_id = $tenantId::int and post_id = $postId::uuid and lease = $lease::uuid`,
)

export const findPost = statement<Pick<PostRow, 'actionId' | 'place' | 'message'>, At & { kind: ChannelKind }>(
  'channels.find_post',
  `select action_id::text as "actionId", place, message from notice_posts
    where tenant_id = $tenantId::int and post_id = $postId::uuid and kind = $kind::text`,
)

/** The messages about a write, after a decision that came through one of them. */
export const postsOfAction = statement<{ postId: string }, { tenantId: number; actionId: string }>(
  'channels.posts_of_action',
  `select post_id::text as "postId" from notice_posts
    where tenant_id = $tenantId::int and action_id = $actionId::uuid and done_at is null`,
)

/**
 * A process may have ended after its message was sent and before it was written down where. The message says so itself when it is
 * clicked; and one that was sent twice is rewritten where it was clicked.
 */
export const adoptMessage = statement<unknown, At & { place: string; message: string }>(
  'channels.adopt_message',
  `update notice_posts set place = $place::text, message = $message::text, shown = coalesce(shown, 'pending'), due_at = now()
    where tenant_id = $tenantId::int and post_id = $postId::uuid and message is null`,
)

const isOld = `created_at < now() - interval '30 days'`

export const oldPosts = oldRows('channels.posts.forget', {
  table: 'notice_posts',
  columns: ['post_id'],
  type: 'uuid',
  due: isOld,
})
