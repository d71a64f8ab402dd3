import type { House } from '../../../tenancy/context/index.ts'
import type { Card } from '../card.ts'
import { callSlack, type SlackAnswer, textIn } from './api.ts'
import { messageOf } from './blocks.ts'

/** Where a message stands; null for a channel that does not say. */
export type Standing = { readonly place: string | null; readonly message: string | null }
type SlackMessage = { readonly place: string; readonly message: string }

export type Written =
  | { readonly ok: true; readonly at: Standing }
  /** The message cannot be written any more. */
  | { readonly ok: 'gone'; readonly fault: string }
  /** `pauseSeconds` is for how long the channel rests, and 0 where only this message was refused. */
  | { readonly ok: false; readonly fault: string; readonly pauseSeconds: number }

type Slack = { readonly tenantId: number; readonly token: string }
type About = { readonly postId: string; readonly isReminder: boolean }

/** Posts a message, or writes it anew where it stands. */
export async function writeMessage(
  house: House,
  { tenantId, token }: Slack,
  card: Card,
  about: About,
  to: { readonly channel: string; readonly at: SlackMessage | null },
): Promise<Written> {
  const { at } = to
  const message = messageOf(card, about)
  const answer = await callSlack(house, {
    tenantId,
    token,
    method: at === null ? 'chat.postMessage' : 'chat.update',
    as: 'json',
    args:
      at === null
        ? { channel: to.channel, ...message, unfurl_links: false, unfurl_media: false }
        : { channel: at.place, ts: at.message, ...message },
  })
  if (!answer.ok) return refused(answer, at !== null)
  const [place, ts] = [textIn(answer.body, 'channel') ?? at?.place, textIn(answer.body, 'ts') ?? at?.message]
  if (place === undefined || ts === undefined) return away
  return { ok: true, at: { place, message: ts } }
}

/** Only whoever clicked sees it. What becomes of it changes nothing. */
export const tellMember = (
  house: House,
  { tenantId, token }: Slack,
  { place, memberId, text }: { readonly place: string; readonly memberId: string; readonly text: string },
): Promise<SlackAnswer> =>
  callSlack(house, {
    tenantId,
    token,
    method: 'chat.postEphemeral',
    as: 'json',
    args: { channel: place, user: memberId, text },
  })

const AWAY_SECONDS = 15
/** Somebody has to mend it: to invite the app, or to set another token. */
const MENDED_SECONDS = 60
/** The next message may well be taken, so the channel does not rest: what a stranger wrote must not keep others from being told. */
const OF_ONE_MESSAGE_SECONDS = 0

const away: Written = { ok: false, fault: 'unreachable', pauseSeconds: AWAY_SECONDS }

/** It was deleted, or Slack takes it in no form: nothing that is tried again would help this message. */
const GONE: ReadonlySet<string> = new Set([
  'message_not_found',
  'cant_update_message',
  'edit_window_closed',
  'msg_too_long',
  'no_text',
  'invalid_blocks',
  'invalid_blocks_format',
])

/** A message may stand in a channel that was ours before. */
const OF_PLACE: ReadonlySet<string> = new Set(['channel_not_found', 'is_archived', 'not_in_channel'])

/** What is wrong with the channel or with our access to it, and so with every message. */
const OF_CHANNEL: ReadonlySet<string> = new Set([
  ...OF_PLACE,
  'access_denied',
  'account_inactive',
  'channel_type_not_supported',
  'ekm_access_denied',
  'enterprise_is_restricted',
  'invalid_auth',
  'missing_scope',
  'no_permission',
  'not_allowed_token_type',
  'not_authed',
  'org_login_required',
  'restricted_action',
  'restricted_action_non_threadable_channel',
  'restricted_action_read_only_channel',
  'team_access_not_granted',
  'token_expired',
  'token_revoked',
])

function refused({ fault, pauseSeconds }: Extract<SlackAnswer, { ok: false }>, isWrittenAnew: boolean): Written {
  if (GONE.has(fault)) return { ok: 'gone', fault }
  const isOfAll = OF_CHANNEL.has(fault) && !(isWrittenAnew && OF_PLACE.has(fault))
  const mended = isOfAll ? MENDED_SECONDS : OF_ONE_MESSAGE_SECONDS
  return { ok: false, fault, pauseSeconds: pauseSeconds ?? mended }
}
