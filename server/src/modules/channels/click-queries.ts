import type { ChannelKind } from '@tether/contract'
import { statement } from '../../kernel/db/index.ts'
import { dueRows, oldRows, SWEEP, type SweepFound, type SweepLook } from '../../tenancy/jobs/index.ts'

export type Verb = 'confirm' | 'reject'

/** A click as its channel sends it. */
export type Clicked = {
  clickId: string
  postId: string
  verb: Verb
  payloadHash: string
  teamId: string
  memberId: string
  place: string
  message: string
}
export type ClickRow = Clicked & { receivedAt: Date; attempts: number; lease: string }

const columns = `k.click_id as "clickId", k.post_id::text as "postId", k.verb, k.payload_hash as "payloadHash", k.team_id as "teamId",
       k.member_id as "memberId", k.place, k.message, k.received_at as "receivedAt", k.attempts, k.lease::text as lease`

/** Written down before the channel is answered, so that no click is lost, and once, so that none counts twice. */
export const insertClick = statement<ClickRow, Clicked & { tenantId: number; kind: ChannelKind; leaseSeconds: number }>(
  'channels.insert_click',
  `with set_up as (
     select tenant_id from notice_channels where tenant_id = $tenantId::int and kind = $kind::text for key share
   )
   insert into slack_clicks as k
          (tenant_id, click_id, post_id, verb, payload_hash, team_id, member_id, place, message, lease, lease_until)
   select tenant_id, $clickId::text, $postId::uuid, $verb::text, $payloadHash::text, $teamId::text, $memberId::text,
          $place::text, $message::text, gen_random_uuid(), now() + make_interval(secs => $leaseSeconds::float8)
     from set_up
   on conflict do nothing
   returning ${columns}`,
)

const isLeft = 'settled_at is null and lease_until <= now()'

/** What a process left behind that ended, and what has to be tried again. */
export const listLeft = statement<SweepFound, SweepLook>(
  'channels.list_left_clicks',
  dueRows({ table: 'slack_clicks', id: 'click_id', due: isLeft, order: 'lease_until' }),
  { looks: SWEEP },
)

export const claimClick = statement<ClickRow, { tenantId: number; clickId: string; leaseSeconds: number }>(
  'channels.claim_click',
  `update slack_clicks k
      set attempts = k.attempts + 1, lease = fresh.lease, lease_until = now() + make_interval(secs => $leaseSeconds::float8)
     from (select gen_random_uuid() as lease) as fresh
    where k.tenant_id = $tenantId::int and k.click_id = $clickId::text and ${isLeft}
   returning ${columns}`,
)

type Held = { tenantId: number; clickId: string; lease: string }

export const settleClick = statement<unknown, Held & { outcome: string }>(
  'channels.settle_click',
  `update slack_clicks set outcome = $outcome::text, settled_at = now(), lease = null
    where tenant_id = $tenantId::int and click_id = $clickId::text and lease = $lease::uuid`,
)

/** The channel could not say who clicked: again in a moment. */
export const postponeClick = statement<unknown, Held & { seconds: number }>(
  'channels.postpone_click',
  `update slack_clicks set lease_until = now() + make_interval(secs => $seconds::float8)
    where tenant_id = $tenantId::int and click_id = $clickId::text and lease = $lease::uuid`,
)

// Longer than anybody can send a click again: its signature counts for five minutes.
const isOld = `received_at < now() - interval '30 days'`

export const oldClicks = oldRows('channels.clicks.forget', {
  table: 'slack_clicks',
  columns: ['click_id'],
  type: 'text',
  due: isOld,
})

/** Without their channel, they decide nothing. */
export const deleteClicks = statement<unknown, { tenantId: number }>(
  'channels.delete_clicks',
  'delete from slack_clicks where tenant_id = $tenantId::int',
)
