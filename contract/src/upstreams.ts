import { z } from 'zod'
import { Timestamp } from './schemas.ts'

/** What was declared of a tool, beside whether it is a write. Whatever a catalog knows may be said here; the rest the server says. */
const DeclaredUpstreamTool = z
  .looseObject({ name: z.string().meta({ description: 'Its name at the server.' }) })
  .meta({ description: 'Members of a tool specification that take the place of what the server says.' })

export const UpstreamRequest = z
  .object({
    url: z.string().meta({ description: 'Where the server speaks Streamable HTTP: absolute HTTPS.' }),
    credential: z.string().nullable().optional().meta({
      description:
        'Sent as `Authorization: Bearer`, at most 4,000 characters. Absent keeps the stored one; an empty text clears it.',
    }),
    tools: z
      .array(z.union([z.string(), DeclaredUpstreamTool]))
      .optional()
      .meta({ description: 'The tools to take, by their names at the server. Absent means all of them.' }),
    is_write: z
      .record(z.string(), z.boolean())
      .optional()
      .meta({ description: 'For each tool that is taken whether it changes something. Never taken from the server.' }),
  })
  .meta({ id: 'UpstreamRequest' })

const UpstreamTool = z.object({
  tool: z.string().meta({ description: 'Its name at the server.' }),
  name: z.string().meta({ description: 'Its name in the catalog.' }),
  isWrite: z.boolean(),
  idempotency: z.enum(['key', 'none']),
  state: z.enum(['ready', 'changed', 'vanished']).meta({
    description:
      'A tool that is not `ready` is no longer what was declared. It is not called until it is declared again.',
  }),
})

export const Upstream = z
  .object({
    name: z.string(),
    url: z.string(),
    credentialStored: z.boolean(),
    tools: z.array(UpstreamTool),
    health: z.object({
      status: z.enum(['ok', 'changed', 'unreachable']),
      message: z.string().nullable(),
      checkedAt: Timestamp,
    }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Upstream' })

export const Upstreams = z.object({ upstreams: z.array(Upstream), count: z.int() }).meta({ id: 'Upstreams' })

export const UpstreamRegistered = z
  .object({
    registered: z.literal(true),
    version: z.int().meta({ description: 'The catalog’s.' }),
    upstream: Upstream,
    skipped: z.array(z.string()).meta({ description: 'Tools of the server that were not taken.' }),
  })
  .meta({ id: 'UpstreamRegistered' })

export const UpstreamRefused = z
  .object({
    registered: z.literal(false),
    error: z.string().meta({ description: 'Everything that is wrong, in one message.' }),
    tools: z
      .array(z.object({ name: z.string(), description: z.string(), parameters: z.unknown() }))
      .optional()
      .meta({ description: 'What the server offers, to declare `is_write` of each.' }),
  })
  .meta({ id: 'UpstreamRefused' })

export const UpstreamRemoved = z
  .object({ deleted: z.literal(true), name: z.string(), version: z.int() })
  .meta({ id: 'UpstreamRemoved' })
export const UpstreamNotRemoved = z
  .object({ deleted: z.literal(false), error: z.string() })
  .meta({ id: 'UpstreamNotRemoved' })
