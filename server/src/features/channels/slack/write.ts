import type { House } from '../../../ground/context/index.ts'
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
  if (!answer.ok) return refused(answer)
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

const refused = ({ fault, pauseSeconds }: Extract<SlackAnswer, { ok: false }>): Written =>
  GONE.has(fault) ? { ok: 'gone', fault } : { ok: false, fault, pauseSeconds: pauseSeconds ?? MENDED_SECONDS }
