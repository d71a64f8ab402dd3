import type { Sides } from './compare.ts'
import type { Waited } from './victim.ts'

const mostTimes = 3
/** So long a wait counts as none: in the short form a median of two hangs on what the machine does besides. */
const unnoticedMs = Number(process.env.HOSTILE_UNNOTICED_MS ?? 0)
const KINDS = { turnMs: 'one turn', readMs: 'a read' } as const
const kinds = ['turnMs', 'readMs'] as const

/** What is too long of this, in words; beside `unnoticed` nobody complains, so that what waits no longer than that is no wait. */
export const tooLong = ({ hostile, harmless }: Sides, unnoticed: Waited): readonly string[] =>
  kinds.flatMap((kind) => {
    const most = Math.max(unnoticedMs, mostTimes * Math.max(harmless[kind], unnoticed[kind]))
    if (hostile[kind] <= most) return []
    return [`the victim waited ${ms(hostile[kind])} for ${KINDS[kind]}, and ${ms(most)} is the most`]
  })

export const toldOf = ({ turnMs, readMs, healthMs }: Waited): string =>
  `${KINDS.turnMs} ${ms(turnMs)}, ${KINDS.readMs} ${ms(readMs)} (/health ${ms(healthMs)} of the wall clock)`

const ms = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} ms`
