import { z } from 'zod'
import { Timestamp } from './schemas.ts'

// Where a workspace is told of what waits, besides mail.

/** The kinds of channel besides mail. The column has no constraint of its own. */
export const ChannelKind = z.enum(['slack', 'teams'])
export type ChannelKind = z.output<typeof ChannelKind>

/** A credential that another service made, as it is copied from its page. */
const Credential = (description: string) =>
  z
    .string()
    .min(1)
    .max(500)
    .regex(/^[!-~]+$/)
    .optional()
    .meta({ description })

export const SlackRequest = z
  .object({
    botToken: Credential(
      'The bot token of the app (`xoxb-…`). Absent keeps the stored one; the first time it is needed.',
    ),
    signingSecret: Credential(
      'The signing secret of the app, by which its clicks are known. Absent keeps the stored one; the first time it is needed.',
    ),
    channel: z
      .string()
      .min(1)
      .max(100)
      .regex(/^[^\s<>&]+$/)
      .optional()
      .meta({
        description:
          'The channel to post in, best by its id (`C…`). Absent keeps the stored one; the first time it is needed.',
      }),
  })
  .meta({ id: 'SlackRequest' })

const ChannelFault = z
  .object({
    code: z.string().meta({ description: 'The other side’s own word, or `unreachable`.' }),
    message: z.string(),
    at: Timestamp,
  })
  .nullable()
  .meta({ description: 'Why nothing gets through at present; null where all is well.' })

export const SlackChannel = z
  .object({
    configured: z.boolean(),
    channel: z.string().nullable(),
    teamId: z.string().nullable().meta({ description: 'The Slack team whose members may decide.' }),
    interactionsUrl: z
      .string()
      .meta({ description: 'Goes into the app as the Request URL of its interactivity. It answers Slack alone.' }),
    setAt: Timestamp.nullable(),
    fault: ChannelFault,
  })
  .meta({ id: 'SlackChannel' })

export const TeamsRequest = z
  .object({
    url: z.string().max(2048).meta({
      description:
        'The address of the workflow “When a Teams webhook request is received”. It is a credential, and never shown again.',
    }),
  })
  .meta({ id: 'TeamsRequest' })

export const TeamsChannel = z
  .object({
    configured: z.boolean(),
    host: z.string().nullable().meta({ description: 'Of the workflow’s address; the rest of it is a credential.' }),
    setAt: Timestamp.nullable(),
    fault: ChannelFault,
  })
  .meta({ id: 'TeamsChannel' })

export const ChannelTested = z
  .object({ sent: z.boolean().meta({ description: 'True if the other side took the message.' }), fault: ChannelFault })
  .meta({ id: 'ChannelTested' })

export const ChannelRemoved = z
  .object({ deleted: z.boolean().meta({ description: 'False where none was set.' }) })
  .meta({ id: 'ChannelRemoved' })

export const SlackInteractionAnswer = z
  .object({
    received: z.enum(['click', 'repeated', 'nothing']).meta({
      description:
        '`click`: it is written down and being decided; the message says what came of it. `repeated`: it came before, and decides nothing more. `nothing`: no button of ours.',
    }),
  })
  .meta({ id: 'SlackInteractionAnswer' })
