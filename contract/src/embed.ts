import { z } from 'zod'

const Origins = { origins: z.array(z.string()), held: z.array(z.string()) }

export const OriginList = z.object(Origins).meta({ id: 'OriginList' })

export const OriginsRequest = z
  .object({
    origins: z.array(z.string()).meta({ description: 'At most 2048 characters, added up over all origins.' }),
    holdUntilConfirmed: z.boolean().optional(),
  })
  .meta({ id: 'OriginsRequest' })

export const OriginsStored = z
  .object({ ...Origins, reason: z.literal('public_origin').optional() })
  .meta({ id: 'OriginsStored' })

export const EmbedRequest = z
  .object({
    language: z.string().max(20).optional().meta({ description: '`ka` or `en`; `English` means `en`.' }),
    greeting: z.string().max(1000).optional().meta({ description: 'One line, at most 200 characters.' }),
  })
  .meta({ id: 'EmbedRequest' })

export const EmbedSnippet = z
  .object({
    key: z.string(),
    prefix: z.string(),
    kind: z.literal('publishable'),
    issued: z.boolean(),
    revokedPrefix: z.string().nullable(),
    endpoint: z.string(),
    scriptUrl: z.string(),
    snippet: z.string(),
    ...Origins,
  })
  .meta({ id: 'EmbedSnippet' })

export const InstructionsRequest = z
  .object({
    email: z.string().max(1000),
    language: z.string().max(20).optional(),
    greeting: z.string().max(1000).optional(),
  })
  .meta({ id: 'EmbedInstructionsRequest' })

export const InstructionsSent = z
  .object({
    email: z.string(),
    status: z.enum(['queued', 'held', 'not_sent']),
    reason: z.literal('third_party_mail').optional(),
    message: z.string(),
  })
  .meta({ id: 'EmbedInstructions' })

export const Brand = z.object({ color: z.string().nullable(), logo: z.string().nullable() }).meta({ id: 'Brand' })

export const BrandRequest = z
  .object({ color: z.string().max(4096).nullable().optional(), logo: z.string().max(4096).nullable().optional() })
  .meta({ id: 'BrandRequest' })

export const SiteCheckRequest = z.object({ url: z.string().max(4096) }).meta({ id: 'SiteCheckRequest' })

export const SiteCheck = z
  .object({
    url: z.string(),
    reachable: z.boolean(),
    status: z.int(),
    finalUrl: z.string(),
    error: z.string().nullable(),
    snippet: z.object({
      element: z.boolean(),
      script: z.boolean(),
      key: z.enum(['this_workspace', 'other', 'missing']),
    }),
    secretKeyOnPage: z.boolean(),
    csp: z.object({ scriptAllowed: z.boolean(), connectAllowed: z.boolean() }).nullable(),
    origins: z.array(z.object({ origin: z.string(), serves: z.boolean(), registered: z.boolean(), held: z.boolean() })),
  })
  .meta({ id: 'SiteCheck' })
