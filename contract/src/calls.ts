import { z } from 'zod'
import { Limit, Timestamp } from './schemas.ts'

export const CALLS_PAGE = { most: 200, preset: 50 } as const
const callId = z.int().positive()

export const CallsQuery = z.object({
  tool: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: 'Only this tool.', examples: ['get_order'] }),
  status: z
    .string()
    .min(1)
    .max(40)
    .optional()
    .meta({ description: 'Only calls that ended so.', examples: ['timeout'] }),
  limit: Limit(CALLS_PAGE.most, CALLS_PAGE.preset),
  before: callId.optional().meta({ description: 'The `nextBefore` of the page before.' }),
})

export const CallRecord = z
  .object({
    callId,
    at: Timestamp,
    requestId: z.string().meta({ description: 'As the endpoint received it.' }),
    tool: z.string(),
    domain: z.string(),
    surface: z.string().meta({ description: 'Where it came from, such as `web` or `mobile`.' }),
    status: z.string().meta({ description: 'How it ended; docs/receiving-calls.md lists them.' }),
    httpStatus: z.int().nullable(),
    attempts: z.int(),
    durationMs: z.int(),
  })
  .meta({ id: 'CallRecord' })

export const CallRecords = z
  .object({
    calls: z.array(CallRecord),
    count: z.int(),
    nextBefore: callId.nullable().meta({ description: 'What to send as `before` for what is older, or null.' }),
  })
  .meta({ id: 'CallRecords' })
