// What is put into the outbox, and what may be said of it when all is over.
import { type Database, unlisted } from '../../src/kernel/db/index.ts'
import type { Arrival } from './receiver.ts'

const announceWave = unlisted<unknown, { tenantIds: number[]; lanes: number; wave: number }>(
  'proof.announce_wave',
  `insert into outbox (tenant_id, event_id, event, session_id, lane, fields)
         select t, 'evt_' || lane || '_' || $wave::int, 'conversation.handoff', 'ses_' || lane, 'ses_' || lane,
                '{"wave":' || $wave::int || '}'
           from generate_series(1, $lanes::int) as lane,
                lateral (select ($tenantIds::int[])[1 + lane % cardinality($tenantIds::int[])]) as own (t)`,
)
/** The next event of every lane. */
export const announce = (db: Database, tenantIds: readonly number[], lanes: number, wave: number): Promise<number> =>
  db.run(announceWave, { tenantIds: [...tenantIds], lanes, wave })

const countLeft = unlisted<{ waiting: number; undelivered: number }>(
  'proof.count_left',
  `select (select count(*)::int from outbox) as waiting, (select count(*)::int from undelivered_events) as undelivered`,
)
export async function leftIn(db: Database): Promise<{ waiting: number; undelivered: number }> {
  return (await db.one(countLeft)) ?? { waiting: -1, undelivered: -1 }
}

/** Until nothing waits, or the limit is over: then the judgement says what was lost. */
export async function untilSettled(db: Database, limitMs: number): Promise<void> {
  const limit = performance.now() + limitMs
  while ((await leftIn(db)).waiting > 0 && performance.now() < limit) {
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

export type Judgement = {
  /** Never acknowledged. */
  readonly lost: number
  /** Came while an earlier one of its lane had not been acknowledged yet. */
  readonly outOfOrder: number
  readonly otherBodies: number
  readonly duplicates: number
  readonly arrivals: number
}

export function judge(arrivals: readonly Arrival[], lanes: number, perLane: number): Judgement {
  const bodies = new Map<string, string>()
  const acknowledged = new Set<string>()
  let [outOfOrder, otherBodies, duplicates] = [0, 0, 0]
  for (const { eventId, body, acknowledged: isAcknowledged } of arrivals) {
    const [, lane = '', wave = ''] = eventId.split('_')
    const isFirst = !bodies.has(eventId)
    if (!isFirst && bodies.get(eventId) !== body) otherBodies++
    bodies.set(eventId, body)
    if (acknowledged.has(eventId)) duplicates++
    const before = Number(wave) - 1
    if (isFirst && before >= 1 && !acknowledged.has(`evt_${lane}_${before}`)) outOfOrder++
    if (isAcknowledged) acknowledged.add(eventId)
  }
  return { lost: lanes * perLane - acknowledged.size, outOfOrder, otherBodies, duplicates, arrivals: arrivals.length }
}
