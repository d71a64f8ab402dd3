// The admissions of one bucket within the window, oldest first, in a ring that grows as it fills. An address that asked
// once costs one number, and a full lane as many as its ceiling. Adding and forgetting are O(1) amortised.

export type AdmissionLog = { times: number[]; head: number; count: number }

export const emptyLog = (): AdmissionLog => ({ times: [], head: 0, count: 0 })

/** The time of the admission at `index`, where 0 is the oldest. `index` must be below `count`. */
export function timeAt(log: AdmissionLog, index: number): number {
  return log.times[(log.head + index) % log.times.length] ?? Number.NaN
}

/** Times must not go back, because the ring is in order only if it is filled in order. */
export function addAdmission(log: AdmissionLog, time: number): void {
  if (log.count === log.times.length) grow(log)
  log.times[(log.head + log.count) % log.times.length] = time
  log.count += 1
}

/** Forgets the admissions at or before `time`. An empty log frees its memory. */
export function forgetUntil(log: AdmissionLog, time: number): void {
  while (log.count > 0 && timeAt(log, 0) <= time) {
    log.head = (log.head + 1) % log.times.length
    log.count -= 1
  }
  if (log.count === 0 && log.times.length > 1) Object.assign(log, emptyLog())
}

function grow(log: AdmissionLog): void {
  const inOrder = [...log.times.slice(log.head), ...log.times.slice(0, log.head)]
  const room = new Array<number>(Math.max(1, inOrder.length)).fill(0)
  log.times = inOrder.concat(room)
  log.head = 0
}
