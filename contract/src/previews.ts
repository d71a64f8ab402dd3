import { z } from 'zod'
import { Brand } from './embed.ts'
import { KeyPrefix, Timestamp } from './schemas.ts'

const siteUrl = z
  .string()
  .meta({ description: 'The address of a public page, with https://.', examples: ['https://shop.example'] })
const feedUrl = z.string().nullable().optional().meta({
  description: 'The address of a feed. Without it, one that the first page announces on the same site is read.',
})

export const PreviewRequest = z.object({ siteUrl, feedUrl }).meta({ id: 'PreviewRequest' })

const counts = {
  pages: z.int(),
  feedItems: z.int().meta({ description: 'Entries of a feed.' }),
  items: z.int().meta({ description: 'What the site lists, such as products.' }),
  chunks: z.int().meta({ description: 'The pieces in which all of it is found and quoted.' }),
  pagesRefusedByRobots: z.int(),
  stoppedAtPageLimit: z.boolean(),
}
const named = {
  site: z.string().meta({ description: 'The origin at which the first page was read.' }),
  name: z.string().nullable().meta({ description: 'The name that the pages share.' }),
  brand: Brand.nullable(),
}

export const PreviewStored = z.object({ ingested: z.literal(true), ...named, ...counts }).meta({ id: 'PreviewStored' })

export const REFRESH_OUTCOMES = ['replaced', 'kept', 'failed'] as const

export const Preview = z
  .object({
    previewOnly: z.boolean().meta({ description: 'True until a catalog with a tool is registered.' }),
    preview: z
      .object({
        ...named,
        ...counts,
        topics: z.array(z.string()).meta({ description: 'At most four titles of pages, or of the feed.' }),
        crawledAt: Timestamp,
        refresh: z
          .object({
            at: Timestamp,
            outcome: z.enum(REFRESH_OUTCOMES).meta({
              description:
                '`kept`: the site had lost more than half of its pages, so what was held stays. `failed`: nothing could be read.',
            }),
            pages: z.int().nullable().meta({ description: 'How many pages it read.' }),
          })
          .nullable()
          .meta({ description: 'The last time that the site was read again by itself; null if it never was.' }),
      })
      .nullable(),
  })
  .meta({ id: 'Preview' })

export const PreviewDeleted = z.object({ deleted: z.boolean() }).meta({ id: 'PreviewDeleted' })

export const SandboxRequest = z.object({ siteUrl, feedUrl }).meta({ id: 'SandboxRequest' })

export const SandboxOpened = z
  .object({
    sandboxKey: z.string().meta({ description: 'The key of this sandbox, `tsb_…`, which is shown once.' }),
    keyPrefix: KeyPrefix,
    state: z.literal('crawling'),
    site: z.string(),
    expiresAt: Timestamp,
    limits: z.object({
      pages: z.int(),
      bytes: z.int(),
      seconds: z.number(),
      lifetimeMinutes: z.number(),
      turns: z.int(),
    }),
    notice: z.string(),
  })
  .meta({ id: 'SandboxOpened' })

export const SANDBOX_STATES = ['crawling', 'ready', 'empty', 'failed', 'expired'] as const
export type SandboxState = (typeof SANDBOX_STATES)[number]
export const SITE_FAULTS = ['site_challenged', 'unreachable', 'robots_refused', 'too_slow'] as const
export type SiteFaultCode = (typeof SITE_FAULTS)[number]

export const SandboxStatus = z
  .object({
    state: z.enum(SANDBOX_STATES),
    pagesRead: z.int(),
    chunks: z.int(),
    topics: z.array(z.string()),
    name: z.string().nullable(),
    items: z.int(),
    brand: Brand.nullable(),
    turnsLeft: z.int(),
    expiresAt: Timestamp,
    error: z.string().nullable(),
    errorCode: z.enum(SITE_FAULTS).nullable(),
  })
  .meta({ id: 'SandboxStatus' })
export type SandboxStatus = z.output<typeof SandboxStatus>

export const ClaimRequest = z
  .object({
    email: z.string().meta({ examples: ['you@example.com'] }),
    name: z.string().meta({ description: 'The workspace’s name, 2 to 120 characters.', examples: ['Corner Shop'] }),
    language: z
      .string()
      .optional()
      .meta({ description: '`ka` makes the mail Georgian, anything else English.', examples: ['ka'] }),
  })
  .meta({ id: 'ClaimRequest' })

export const ClaimAccepted = z
  .object({ accepted: z.literal(true), email: z.string(), expiresAt: Timestamp })
  .meta({ id: 'ClaimAccepted' })
