import type { ServerEvent } from '../../kernel/http/index.ts'
import { sessionLives } from '../../tenancy/access/index.ts'
import type { House } from '../../tenancy/context/index.ts'
import { newestEvent } from '../../writes/audit/index.ts'
import type { Person } from './visit.ts'

const LOOK_MS = 2_000
/** Then the browser comes again by itself, with whatever its cookie says by then. */
const LONGEST_MS = 300_000

type Look = { readonly at: number; readonly id: Promise<number> }

/**
 * Tells a page that something has happened in its workspace, and nothing of what: the page then asks. However many pages are
 * open, a workspace is looked at once in two seconds, and not at all when nobody looks.
 */
export function openLive(house: () => House) {
  const looks = new Map<number, Look>()

  function newest(tenantId: number): Promise<number> {
    const now = performance.now()
    const known = looks.get(tenantId)
    if (known !== undefined && now - known.at < LOOK_MS / 2) return known.id
    for (const [old, { at }] of looks) if (now - at > LONGEST_MS) looks.delete(old)
    const id = newestEvent(house(), tenantId)
    looks.set(tenantId, { at: now, id })
    return id
  }

  return async function* live(person: Person, signal: AbortSignal): AsyncGenerator<ServerEvent> {
    const { tenantId } = person.session
    const until = performance.now() + LONGEST_MS
    let seen = await newest(tenantId)
    yield { data: 'watching' }
    while (!signal.aborted && performance.now() < until) {
      await pause(LOOK_MS, signal)
      const id = await newest(tenantId)
      if (id === seen || signal.aborted) continue
      // Whoever was signed out meanwhile is told nothing more.
      if (!(await sessionLives(house(), person.session))) return
      seen = id
      yield { id: String(id), data: 'changed' }
    }
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
