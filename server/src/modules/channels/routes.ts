import * as contract from '@tether/contract'
import { z } from 'zod'
import { ANYONE, type ProveSigned, type Route, route, SECRET_ONLY } from '../../tenancy/access/index.ts'
import type { Channels } from './channels.ts'
import { testSlack, testTeams } from './send-test.ts'
import { provenClick } from './slack/interaction.ts'
import { readSlack, removeSlack, setSlack } from './slack/settings.ts'
import { readTeams, removeTeams, setTeams } from './teams/settings.ts'

export type ChannelParts = {
  readonly channels: Pick<Channels, 'take'>
  /** Counts what comes signed, and throws a refusal where that is too much. */
  readonly prove: ProveSigned
}

const here = { reach: SECRET_ONLY, lane: 'control', group: 'Notifications' } as const
const slack = { ...here, path: '/v1/notifications/slack' } as const
const teams = { ...here, path: '/v1/notifications/teams' } as const

/** A message with every field as long as it may be has not half of it. */
const MOST_BYTES = 256 * 1024

const slackRoutes: readonly Route[] = [
  route({
    ...slack,
    method: 'GET',
    summary: 'Where writes are posted in Slack',
    description:
      'Also without a channel it says the `interactionsUrl`, which the Slack app needs. docs/slack.md says how to set it up.',
    answers: { 200: { schema: contract.SlackChannel } },
    handle: async (ctx) => ({ status: 200, body: await readSlack(ctx) }),
  }),
  route({
    ...slack,
    method: 'PUT',
    summary: 'Post writes that wait in Slack, where people decide them',
    description:
      'The token is tried with Slack before anything is stored. What waits is posted with its arguments and two buttons; whoever clicks is known by the e-mail address that Slack has confirmed of them, and decides as in the inbox.',
    body: contract.SlackRequest,
    answers: { 200: { schema: contract.SlackChannel } },
    errors: ['notification_refused', 'notification_unavailable', 'secret_unreadable'],
    example: { body: { botToken: 'xoxb-your-token', signingSecret: 'the-signing-secret', channel: 'C0123456789' } },
    handle: async (ctx, { body }) => ({ status: 200, body: await setSlack(ctx, body) }),
  }),
  route({
    ...slack,
    method: 'DELETE',
    summary: 'Post nothing more in Slack',
    description: 'Messages that stand there decide nothing from then on.',
    answers: { 200: { schema: contract.ChannelRemoved } },
    handle: async (ctx) => ({ status: 200, body: await removeSlack(ctx) }),
  }),
]

const TESTING = 'It answers what the other side said of it. What waits is posted as before, whatever that was.'

const testRoutes: readonly Route[] = [
  route({
    ...here,
    method: 'POST',
    path: '/v1/notifications/slack/test',
    summary: 'Send a message to Slack, to see it arrive',
    description: TESTING,
    answers: { 200: { schema: contract.ChannelTested } },
    errors: ['invalid_request', 'secret_unreadable'],
    handle: async (ctx) => ({ status: 200, body: await testSlack(ctx) }),
  }),
  route({
    ...here,
    method: 'POST',
    path: '/v1/notifications/teams/test',
    summary: 'Send a card to Teams, to see it arrive',
    description: TESTING,
    answers: { 200: { schema: contract.ChannelTested } },
    errors: ['invalid_request', 'secret_unreadable'],
    handle: async (ctx) => ({ status: 200, body: await testTeams(ctx) }),
  }),
]

const teamsRoutes: readonly Route[] = [
  route({
    ...teams,
    method: 'GET',
    summary: 'Where writes are posted in Teams',
    answers: { 200: { schema: contract.TeamsChannel } },
    handle: async (ctx) => ({ status: 200, body: await readTeams(ctx) }),
  }),
  route({
    ...teams,
    method: 'PUT',
    summary: 'Post writes that wait in Teams',
    description: 'Each as a card with a link to the inbox, and how it ended as another. Nothing in a card decides.',
    body: contract.TeamsRequest,
    answers: { 200: { schema: contract.TeamsChannel } },
    errors: ['invalid_endpoint'],
    example: { body: { url: 'https://prod-00.westeurope.logic.azure.com/workflows/0/triggers/manual/paths/invoke' } },
    handle: async (ctx, { body }) => ({ status: 200, body: await setTeams(ctx, body.url) }),
  }),
  route({
    ...teams,
    method: 'DELETE',
    summary: 'Post nothing more in Teams',
    answers: { 200: { schema: contract.ChannelRemoved } },
    handle: async (ctx) => ({ status: 200, body: await removeTeams(ctx) }),
  }),
]

const interactionRoute = ({ channels, prove }: ChannelParts): Route =>
  route({
    reach: ANYONE,
    // The handler counts it: what is signed by its workspace, and what is not by its address.
    lane: 'none',
    group: 'Notifications',
    method: 'POST',
    path: '/v1/notifications/slack/interactions/:tenantId',
    signed: true,
    bodyLimit: MOST_BYTES,
    summary: 'Takes the clicks of the workspace’s Slack app',
    description:
      'For Slack alone, whose signature (`X-Slack-Signature`, five minutes) is the credential. It answers before the click is decided; the message is then rewritten with what came of it.',
    params: z.object({ tenantId: z.string() }),
    unlisted: true,
    // The bytes are read once their signature is proved.
    ownCheck: true,
    body: z.instanceof(Buffer),
    answers: { 200: { schema: contract.SlackInteractionAnswer } },
    errors: ['invalid_signature', 'rate_limited', 'secret_unreadable'],
    handle: async (ctx, { params: { tenantId: asked }, body, head }) => {
      // Without a body there is nothing that the signature could be of.
      const bytes = body ?? Buffer.alloc(0)
      const { tenantId, clicked } = await provenClick(ctx, prove, { tenantId: asked, bytes, head })
      const isNew = clicked !== null && (await channels.take(tenantId, clicked))
      return { status: 200, body: { received: clicked === null ? 'nothing' : isNew ? 'click' : 'repeated' } }
    },
  })

export const channelRoutes = (parts: ChannelParts): readonly Route[] => [
  ...slackRoutes,
  interactionRoute(parts),
  ...teamsRoutes,
  ...testRoutes,
]
