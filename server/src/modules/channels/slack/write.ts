import type { House } from '../../../tenancy/context/index.ts'
import type { ClickRow } from '../click-queries.ts'
import type { Connection, Draft, MessageAddress, Written } from '../driver.ts'
import { AWAY_SECONDS, MENDED_SECONDS } from '../transport.ts'
import { callSlack, type SlackAnswer, type SlackSecrets, textIn } from './api.ts'
import { escaped, messageOf } from './blocks.ts'

type To = Connection<SlackSecrets>

export async function postMessage(house: House, to: To, draft: Draft): Promise<Written> {
  const args = { channel: to.place, ...messageOf(draft), unfurl_links: false, unfurl_media: false }
  const answer = await callSlack(house, to, { method: 'chat.postMessage', as: 'json', args })
  if (!answer.ok) return refused(answer, false)
  const [place, message] = [textIn(answer.body, 'channel'), textIn(answer.body, 'ts')]
  return place === null || message === null ? away : { ok: true, at: { place, message } }
}

export async function updateMessage(house: House, to: To, draft: Draft, at: MessageAddress): Promise<Written> {
  const args = { channel: at.place, ts: at.message, ...messageOf(draft) }
  const answer = await callSlack(house, to, { method: 'chat.update', as: 'json', args })
  return answer.ok ? { ok: true, at } : refused(answer, true)
}

export async function sayInChannel(house: House, to: To, text: string): Promise<string | null> {
  const args = { channel: to.place, text }
  const answer = await callSlack(house, to, { method: 'chat.postMessage', as: 'json', args })
  return answer.ok ? null : answer.fault
}

export async function tellMember(house: House, to: To, click: ClickRow, text: string): Promise<string | null> {
  const args = { channel: click.place, user: click.memberId, text: escaped(text) }
  const answer = await callSlack(house, to, { method: 'chat.postEphemeral', as: 'json', args })
  return answer.ok ? null : answer.fault
}

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
  ...`access_denied account_inactive channel_type_not_supported ekm_access_denied enterprise_is_restricted invalid_auth missing_scope
      no_permission not_allowed_token_type not_authed org_login_required restricted_action restricted_action_non_threadable_channel
      restricted_action_read_only_channel team_access_not_granted token_expired token_revoked`.split(/\s+/),
])

function refused({ fault, pauseSeconds }: Extract<SlackAnswer, { ok: false }>, isWrittenAnew: boolean): Written {
  if (GONE.has(fault)) return { ok: 'gone', fault }
  const isOfAll = OF_CHANNEL.has(fault) && !(isWrittenAnew && OF_PLACE.has(fault))
  // A fault of one message does not stop the channel: text from a stranger must not hold up the other messages.
  return { ok: false, fault, pauseSeconds: pauseSeconds ?? (isOfAll ? MENDED_SECONDS : 0) }
}
