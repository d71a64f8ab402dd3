import * as contract from '@tether/contract'
import type { z } from 'zod'
import { refuse } from '../../../kernel/http/index.ts'
import type { Context } from '../../../tenancy/context/index.ts'
import { type Checked, clicksPath, type DriverSettings } from '../driver.ts'
import type { ChannelRow } from '../queries.ts'
import { openConnection, secretUnreadable } from '../secrets.ts'
import { callSlack, type SlackSecrets, textIn } from './api.ts'

type View = z.output<typeof contract.SlackChannel>
type Asked = z.output<typeof contract.SlackRequest>

export const slackSettings: DriverSettings<SlackSecrets, typeof contract.SlackRequest> = {
  request: contract.SlackRequest,
  view: contract.SlackChannel,
  docs: {
    read: {
      summary: 'Where writes are posted in Slack',
      description:
        'Also without a channel it says the `interactionsUrl`, which the Slack app needs. docs/slack.md says how to set it up.',
    },
    set: {
      summary: 'Post writes that wait in Slack, where people decide them',
      description:
        'The token is tried with Slack before anything is stored. What waits is posted with its arguments and two buttons; whoever clicks is known by the e-mail address that Slack has confirmed of them, and decides as in the inbox.',
      errors: ['notification_refused', 'notification_unavailable', 'secret_unreadable'],
      example: { body: { botToken: 'xoxb-your-token', signingSecret: 'the-signing-secret', channel: 'C0123456789' } },
    },
    remove: {
      summary: 'Post nothing more in Slack',
      description: 'Messages that stand there decide nothing from then on.',
    },
    test: { summary: 'Send a message to Slack, to see it arrive' },
  },
  describe: ({ settings, asking }, row): Pick<View, 'channel' | 'teamId' | 'interactionsUrl'> => ({
    channel: row?.place ?? null,
    teamId: row?.teamId ?? null,
    interactionsUrl: `${settings.http.publicUrl}${clicksPath('slack', asking.tenantId)}`,
  }),
  /** What is not sent stays as it is. The token is tried, because whose members may decide is what Slack says of it. */
  async check(ctx, asked, before): Promise<Checked<SlackSecrets>> {
    const { channel: place = before?.place } = asked
    const isNew = asked.botToken !== undefined && asked.signingSecret !== undefined
    // What no longer opens is asked for only where something of it is to stay.
    const stored = isNew || before === undefined ? null : storedSecrets(ctx, before)
    const { botToken = stored?.botToken, signingSecret = stored?.signingSecret } = asked
    if (botToken === undefined) throw missing('botToken')
    if (signingSecret === undefined) throw missing('signingSecret')
    if (place === undefined) throw missing('channel')
    const secrets = { botToken, signingSecret }
    return { place, secrets, teamId: await teamOf(ctx, secrets) }
  },
}

function storedSecrets(ctx: Context, before: ChannelRow): SlackSecrets {
  const stored = openConnection<SlackSecrets>(ctx, { tenantId: ctx.asking.tenantId, kind: 'slack' }, before)
  if (stored === null) throw secretUnreadable('Slack')
  return stored.secrets
}

const missing = (name: keyof Asked) =>
  refuse('invalid_request', `\`${name}\` is needed the first time: nothing is stored yet that could be kept.`)

async function teamOf(ctx: Context, secrets: SlackSecrets): Promise<string> {
  const caller = { tenantId: ctx.asking.tenantId, secrets }
  const answer = await callSlack(ctx, caller, { method: 'auth.test', as: 'form', args: {} })
  if (!answer.ok && answer.pauseSeconds !== null)
    throw refuse('notification_unavailable', 'Slack does not answer now, so the token could not be tried. Try again.')
  const teamId = answer.ok ? textIn(answer.body, 'team_id') : null
  if (teamId !== null) return teamId
  const reason = answer.ok ? 'no_team' : answer.fault
  throw refuse(
    'notification_refused',
    `Slack does not accept this bot token (${reason.slice(0, 80)}). Copy it again from “OAuth & Permissions” of the installed app.`,
    { reason: reason.slice(0, 80) },
  )
}
