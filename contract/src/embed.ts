import { z } from 'zod'
import { KeyPrefix } from './schemas.ts'

const OriginList = z.array(z.string())

export const EmbedRequest = z
  .object({
    language: z.string().optional().meta({ description: '`ka` or `English` (`en`); English unless said.' }),
    greeting: z.string().optional().meta({ description: 'One line of at most 200 characters.' }),
  })
  .meta({ id: 'EmbedRequest' })

export const Embed = z
  .object({
    key: z.string().meta({ description: 'The widget key, `tpk_…`: publishable, so it may be read again.' }),
    prefix: KeyPrefix,
    kind: z.literal('publishable'),
    issued: z.boolean(),
    revokedPrefix: KeyPrefix.nullable(),
    endpoint: z.string(),
    scriptUrl: z.string(),
    snippet: z.string().meta({ description: 'HTML to paste once, before the closing body tag.' }),
    origins: OriginList,
    held: OriginList,
  })
  .meta({ id: 'Embed' })

export const Origins = z.object({ origins: OriginList, held: OriginList }).meta({ id: 'Origins' })
export const OriginsRequest = z
  .object({
    origins: OriginList.max(2048),
    holdUntilConfirmed: z
      .boolean()
      .optional()
      .meta({ description: 'Public origins wait for the address to be confirmed instead of being refused.' }),
  })
  .meta({ id: 'OriginsRequest' })
export const OriginsAnswer = z
  .object({ origins: OriginList, held: OriginList, reason: z.literal('public_origin').optional() })
  .meta({ id: 'OriginsAnswer' })

export const Brand = z
  .object({ color: z.string().nullable(), logo: z.string().nullable() })
  .meta({ id: 'Brand', description: 'A colour as `#rrggbb`, and the address of a logo.' })
export const BrandRequest = z
  .object({ color: z.string().nullable().optional(), logo: z.string().nullable().optional() })
  .meta({ id: 'BrandRequest', description: 'Null or empty text clears; what is left out stays.' })

export const SiteCheckRequest = z.object({ url: z.string().max(4096) }).meta({ id: 'SiteCheckRequest' })
export const SiteCheck = z
  .object({
    url: z.string(),
    reachable: z.boolean(),
    status: z.int().nullable(),
    finalUrl: z.string().nullable(),
    error: z.string().nullable(),
    snippet: z.object({
      element: z.boolean(),
      script: z.boolean(),
      key: z.enum(['this_workspace', 'other', 'missing']),
    }),
    secretKeyOnPage: z.boolean(),
    csp: z
      .object({ scriptAllowed: z.boolean(), connectAllowed: z.boolean() })
      .nullable()
      .meta({ description: 'Null when the page sends no Content-Security-Policy.' }),
    origins: z.array(z.object({ origin: z.string(), serves: z.boolean(), registered: z.boolean(), held: z.boolean() })),
  })
  .meta({ id: 'SiteCheck' })

export const InstructionsRequest = z
  .object({ email: z.string().max(320), language: z.string().optional(), greeting: z.string().optional() })
  .meta({ id: 'InstructionsRequest' })
export const InstructionsAnswer = z
  .object({
    email: z.string(),
    status: z.enum(['queued', 'held', 'not_sent']),
    reason: z.literal('third_party_mail').optional(),
    message: z.string(),
  })
  .meta({ id: 'InstructionsAnswer' })
