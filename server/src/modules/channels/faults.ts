import type * as contract from '@tether/contract'
import type { z } from 'zod'
import { member } from '../../kernel/json/index.ts'
import type { ChannelRow } from './queries.ts'

type Fault = z.output<typeof contract.SlackChannel>['fault']

/** What each fault asks for. docs/slack.md and docs/teams.md say more. */
const NEXT: Readonly<Record<string, string>> = {
  unreachable: 'No answer came. It is tried again, and nothing is lost.',
  ratelimited: 'Too much was sent at once. It goes on after the pause that was asked for.',
  invalid_auth: 'The bot token is no longer valid. Set a new one.',
  not_authed: 'The bot token is no longer valid. Set a new one.',
  token_revoked: 'The bot token was revoked. Install the app again, then set its new token.',
  token_expired: 'The bot token has expired. Set a new one, and turn token rotation off in the app.',
  account_inactive: 'The app was removed from Slack. Install it again, then set its new token.',
  missing_scope:
    'The app lacks a scope: it needs chat:write, users:read and users:read.email. Add it, then install the app again.',
  channel_not_found:
    'There is no such channel, or it is private and the app is not in it. Invite the app, or set another channel.',
  not_in_channel: 'The app is not in the channel. Write “/invite @<app>” there.',
  is_archived: 'The channel is archived. Set another one.',
  secret_unreadable: 'The stored credentials do not open. Set them again.',
}

const WITHOUT_WORDS = 'The message was refused. The code is the other side’s own word for why.'

export const faultOf = (row: Pick<ChannelRow, 'fault' | 'faultAt'> | undefined): Fault =>
  row?.fault == null || row.faultAt === null
    ? null
    : { code: row.fault, message: member(NEXT, row.fault) ?? WITHOUT_WORDS, at: row.faultAt.toISOString() }
