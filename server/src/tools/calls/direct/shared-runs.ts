type State = { length: number; link: State | null; readonly next: Map<number, State> }

/** Finds the runs that a text has in common with a secret; those that overlap or touch are one. */
type SharedRuns = (text: string, shortest: number) => Generator<readonly [from: number, to: number]>

/**
 * Everything that stands in a secret, as an automaton (its suffix automaton): each character of a text is looked at once,
 * whatever the secret repeats and whoever wrote the text.
 */
export function sharedRunsWith(secret: string): SharedRuns {
  const root: State = { length: 0, link: null, next: new Map() }
  let last = root
  for (let index = 0; index < secret.length; index++) last = extended(last, root, secret.charCodeAt(index))
  return (text, shortest) => runsIn(root, text, shortest)
}

function extended(last: State, root: State, code: number): State {
  const added: State = { length: last.length + 1, link: root, next: new Map() }
  let from: State | null = last
  for (; from !== null && !from.next.has(code); from = from.link) from.next.set(code, added)
  const met = from?.next.get(code)
  if (from === null || met === undefined) return added
  if (met.length === from.length + 1) {
    added.link = met
    return added
  }
  const copy: State = { length: from.length + 1, link: met.link, next: new Map(met.next) }
  met.link = copy
  added.link = copy
  for (let each: State | null = from; each !== null && each.next.get(code) === met; each = each.link)
    each.next.set(code, copy)
  return added
}

function* runsIn(root: State, text: string, shortest: number): ReturnType<SharedRuns> {
  let [state, run]: [State, number] = [root, 0]
  let [start, end] = [0, 0]
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    while (state.link !== null && !state.next.has(code)) {
      state = state.link
      run = state.length
    }
    const next = state.next.get(code)
    if (next !== undefined) {
      state = next
      run++
    }
    if (run < shortest) continue
    // A run grows by one character at most, so the next never begins before this one.
    const from = index + 1 - run
    if (from > end) {
      if (end > 0) yield [start, end]
      start = from
    }
    end = index + 1
  }
  if (end > 0) yield [start, end]
}
