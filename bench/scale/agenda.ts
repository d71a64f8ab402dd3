// What is to happen, and when: a heap by time. What is due at the same moment happens in the order in which it was put in, so
// that a run depends on its seed alone.

type Entry = { readonly at: number; readonly turn: number; readonly happen: () => void }

export type Agenda = {
  now(): number
  after(delay: number, happen: () => void): void
  /** Lets everything happen that is due before this time. */
  runUntil(time: number): void
}

export function openAgenda(): Agenda {
  const heap: Entry[] = []
  let [now, turn] = [0, 0]
  return {
    now: () => now,
    after(delay, happen) {
      push(heap, { at: now + delay, turn: turn++, happen })
    },
    runUntil(time) {
      for (let next = heap[0]; next !== undefined && next.at <= time; next = heap[0]) {
        pop(heap)
        now = next.at
        next.happen()
      }
      now = time
    },
  }
}

const isBefore = (one: Entry, other: Entry): boolean =>
  one.at < other.at || (one.at === other.at && one.turn < other.turn)

function push(heap: Entry[], entry: Entry): void {
  let at = heap.push(entry) - 1
  while (at > 0) {
    const above = (at - 1) >> 1
    const parent = heap[above]
    if (parent === undefined || isBefore(parent, entry)) break
    heap[at] = parent
    at = above
  }
  heap[at] = entry
}

function pop(heap: Entry[]): void {
  const last = heap.pop()
  if (last === undefined || heap.length === 0) return
  let at = 0
  for (;;) {
    const left = 2 * at + 1
    const [one, other] = [heap[left], heap[left + 1]]
    if (one === undefined) break
    const isRight = other !== undefined && isBefore(other, one)
    const child = isRight ? other : one
    if (!isBefore(child, last)) break
    heap[at] = child
    at = isRight ? left + 1 : left
  }
  heap[at] = last
}
