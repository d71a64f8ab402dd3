// Slack: messages with two buttons, rewritten as their write goes on, and clicks that decide.
import * as contract from '@tether/contract'
import type { Driver, DriverForm } from '../driver.ts'
import type { SlackSecrets } from './api.ts'
import { readClick } from './interaction.ts'
import { findAddress } from './member.ts'
import { slackSettings } from './settings.ts'
import { postMessage, sayInChannel, tellMember, updateMessage } from './write.ts'

const form: DriverForm = {
  lead: { en: 'A click on a message decides.', ka: 'გადაწყვეტილებას შეტყობინების ღილაკით იღებენ.' },
  guide: {
    href: '/docs/slack',
    label: { en: 'How the app is made, step by step', ka: 'როგორ იქმნება აპი, ნაბიჯ-ნაბიჯ' },
  },
  fields: [
    {
      name: 'botToken',
      label: { en: 'Bot token (xoxb-…)', ka: 'ბოტის ტოკენი (xoxb-…)' },
      isSecret: true,
      isKept: true,
      example: 'xoxb-…',
    },
    {
      name: 'signingSecret',
      label: { en: 'Signing secret', ka: 'ხელმოწერის საიდუმლო' },
      isSecret: true,
      isKept: true,
      example: '…',
    },
    {
      name: 'channel',
      label: { en: 'Channel, by its id (C…)', ka: 'არხის იდენტიფიკატორი (C…)' },
      isKept: true,
      example: 'C0123456789',
    },
  ],
  save: { en: 'Try the token and save', ka: 'ტოკენის შემოწმება და შენახვა' },
  saved: {
    en: 'Saved: Slack accepted the token. The next write that waits is posted there.',
    ka: 'შენახულია: Slack-მა ტოკენი მიიღო. შემდეგი მომლოდინე ცვლილება იქ გამოჩნდება.',
  },
}

export const slack: Driver<SlackSecrets, typeof contract.SlackRequest> = {
  kind: 'slack',
  name: 'Slack',
  settings: slackSettings,
  form,
  faults: {
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
  },
  post: postMessage,
  update: updateMessage,
  say: sayInChannel,
  clicks: {
    answer: contract.SlackInteractionAnswer,
    docs: {
      summary: 'Takes the clicks of the workspace’s Slack app',
      description:
        'For Slack alone, whose signature (`X-Slack-Signature`, five minutes) is the credential. It answers before the click is decided; the message is then rewritten with what came of it.',
    },
    read: readClick,
    findAddress,
    tell: tellMember,
  },
}
