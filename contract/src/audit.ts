import { z } from 'zod'
import { Limit, Timestamp } from './schemas.ts'

// The trail of every staged write: what happened to it, in order.
export const AUDIT_EVENTS = [
  'proposed',
  'approved',
  'rejected',
  'expired',
  'executed',
  'failed',
  'replayed',
  'superseded',
  'prohibited',
  'precondition_failed',
  'precondition_error',
  'provider_refused',
  'verified',
  'unverified',
] as const
export type AuditEventType = (typeof AUDIT_EVENTS)[number]

const AuditEventId = z
  .int()
  .positive()
  .meta({ description: 'Per tenant, without gaps, in the order of what happened.' })
const Hash = z.string().meta({ description: 'SHA-256 in lower-case hex.' })

export const AuditEvent = z
  .object({
    id: AuditEventId,
    occurredAt: Timestamp,
    actionId: z.string().meta({ format: 'uuid' }).nullable(),
    tool: z.string().nullable(),
    event: z.enum(AUDIT_EVENTS),
    userId: z.int().meta({ description: '0 where no person acted, or somebody without a userId; `user` says who.' }),
    personId: z.int().nullable().meta({
      description:
        'The id of the registered person who acted, which no one else ever gets. Null for no one, for a userId that was only stated, and in events from before ids were recorded.',
    }),
    user: z
      .object({ id: z.int(), userId: z.int().nullable(), displayName: z.string(), email: z.string().nullable() })
      .nullable()
      .meta({
        description:
          'The person as registered now; null for a rule, the system, or an id that nobody is registered with.',
      }),
    source: z.string().meta({ description: 'The route that the event came through.' }),
    payloadHash: Hash.nullable().meta({ description: 'SHA-256 of what the action would run with. Never the payload.' }),
    subject: z.string().nullable().meta({ description: 'The verified customer whom it is about.' }),
    reason: z.string().nullable(),
    relatedActionId: z
      .string()
      .nullable()
      .meta({ description: 'Of an amended action: the one that took its place, or whose place it took.' }),
  })
  .meta({ id: 'AuditEvent' })

/** Months of the trail that the operator has taken into files. */
const AuditArchived = z
  .object({
    lastId: AuditEventId.meta({
      description: 'This event and all before it are in files of whoever runs the service.',
    }),
    lastHash: Hash.meta({ description: 'What is left of the trail follows this hash.' }),
    lastAt: Timestamp,
  })
  .meta({ id: 'AuditArchived' })

export const AuditEvents = z
  .object({
    events: z.array(AuditEvent),
    count: z.int(),
    nextAfter: AuditEventId.nullable().meta({ description: 'What to send as `after` for what follows, or null.' }),
    archived: AuditArchived.optional().meta({
      description: 'Only where what was asked for reaches into months that are archived: this page does not show them.',
    }),
  })
  .meta({ id: 'AuditEvents' })

const day = 'A date (midnight UTC) or a timestamp (exact; UTC where it names no zone).'
const range = {
  from: z
    .string()
    .optional()
    .meta({ description: `At or after. ${day}`, examples: ['2026-11-01'] }),
  to: z
    .string()
    .optional()
    .meta({ description: `Before. ${day}`, examples: ['2026-12-01'] }),
}
const after = z.int().optional().meta({ description: 'Only events with a greater id: for paging.' })

export const AUDIT_PAGE = { most: 1000, preset: 100 } as const

/** Filters combine: an event must pass all of them. */
export const AuditQuery = z.object({
  decision: z.enum(AUDIT_EVENTS).optional().meta({ description: 'Only this event type.' }),
  actionId: z.uuid().optional().meta({ description: 'Only this staged write.' }),
  tool: z.string().min(1).optional().meta({ description: 'Only this tool.' }),
  user: z
    .string()
    .regex(/^(?:0|[1-9][0-9]{0,15}|person:[1-9][0-9]{0,15})$/)
    .optional()
    .meta({
      description: 'Only events by this userId; 0 is nobody, and `person:<id>` is somebody without a userId.',
      examples: ['7'],
    }),
  subject: z.string().min(1).optional().meta({ description: 'Only events about this verified customer.' }),
  scope: z.int().optional().meta({ description: 'Only events staged under this scope id.' }),
  ...range,
  after,
  limit: Limit(AUDIT_PAGE.most, AUDIT_PAGE.preset),
})

export const AuditRange = z.object(range)
/** No filter here: an export that can be checked leaves nothing out. */
export const AuditExportQuery = z.object({ ...range, after, limit: Limit(AUDIT_PAGE.most, AUDIT_PAGE.most) })

export const CHAIN_FAULTS = ['missing', 'hash_mismatch', 'out_of_order', 'head_mismatch'] as const
export type ChainFault = (typeof CHAIN_FAULTS)[number]

const ChainHolds = z.object({
  ok: z.literal(true),
  events: z.int().meta({ description: 'How many were checked.' }),
  firstId: AuditEventId.nullable(),
  lastId: AuditEventId.nullable(),
  lastHash: Hash.nullable().meta({ description: 'Keep it with `lastId`: every later export must still contain it.' }),
  archived: AuditArchived.optional().meta({
    description:
      'Only where months are archived: what was checked follows the last of them. The files are checked with `npm run audit:verify`.',
  }),
})
const ChainBroken = z.object({
  ok: z.literal(false),
  at: AuditEventId.meta({ description: 'The first event that is not as it was written.' }),
  reason: z.enum(CHAIN_FAULTS),
})
export const AuditVerification = z.union([ChainHolds, ChainBroken]).meta({ id: 'AuditVerification' })
