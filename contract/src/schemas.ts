import { z } from 'zod'
import { KEY_PREFIXES, type KeyKind, PLANS } from './kinds.ts'

// Shapes that several routes share.
export const Timestamp = z
  .string()
  .meta({ format: 'date-time', description: 'ISO 8601, UTC.', examples: ['2026-11-21T09:30:00.000Z'] })
export const MOST_TENANTS = 2_147_483_647
export const TenantId = z.int().positive().max(MOST_TENANTS).meta({ description: 'The tenant, a positive integer.' })
export const KeyPrefix = z.string().meta({
  description: 'The first 12 characters of a key. Not secret.',
  examples: ['tth_1f0c9a2b'],
})
export const PlanName = z.enum(PLANS)
export const KeyKindName = z.enum(Object.keys(KEY_PREFIXES) as [KeyKind, ...KeyKind[]])

export const Limit = (max: number, preset: number) =>
  z
    .int()
    .optional()
    .meta({ description: `How many to return: ${preset} unless set, clamped to 1–${max}.` })

/** A page size is clamped, never refused: the caller asked for "many" and gets the most there is. */
export const clampLimit = (asked: number | undefined, max: number, preset: number): number =>
  Math.min(max, Math.max(1, asked ?? preset))

export const ErrorAnswer = z
  .object({
    error: z.object({
      code: z.string(),
      message: z.string(),
      reason: z.string().optional(),
      resend: z.object({ method: z.string(), path: z.string() }).optional(),
      errorId: z.string().optional(),
    }),
  })
  .meta({ id: 'Error', description: 'What went wrong and what to do next.' })

/** Where something that a pipeline sends comes from. */
export const RepositorySource = z
  .object({
    kind: z.literal('repository'),
    commit: z.string().meta({ description: 'The id of the commit: 7 to 64 hexadecimal digits.' }),
    path: z.string().meta({ description: 'A path inside of the repository: 1 to 400 characters, without `..`.' }),
    dirty: z.boolean().meta({ description: 'True if the working tree differed from the commit.' }),
  })
  .meta({ id: 'RepositorySource' })
export type RepositorySource = z.output<typeof RepositorySource>

/** What the service speaks: Georgian and English. */
export const Language = z.enum(['ka', 'en'])
export type Language = z.output<typeof Language>
