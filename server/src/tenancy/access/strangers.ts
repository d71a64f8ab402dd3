import { inTime } from '../../kernel/clock/index.ts'
import { localLimiter, openTurnstile, type Verdict } from '../limits/index.ts'

type Looked<Found> = { readonly refused: Verdict } | { readonly refused: null; readonly found: Found | undefined }

type Strangers = {
  /**
   * Looks for what a request names, such as its key, unless its address has lately named much that is not there. `name` is of what is
   * looked for.
   */
  look<Found extends { readonly tenantId: number }>(
    name: string,
    addressBucket: string,
    ask: () => Promise<Found | undefined>,
  ): Promise<Looked<Found>>
  /** Whose it is, if it was found here lately. That never changes. */
  ownerOf(name: string): number | undefined
}

const WINDOW_MS = 60_000
const MOST_ADDRESSES = 100_000
const MOST_KNOWN = 100_000
/** How many times its anonymous allowance an address may have looked for what is not there. */
const LOOKS = 10
/** How much is looked for on behalf of one address at the same time: what has not been found yet is not counted yet. */
const AT_ONCE = 16
/**
 * A look-up that takes longer gives its turn to the next one, because a server that speaks for many businesses is one address. A
 * look-up that has not ended counts against the allowance, as if it had found nothing.
 */
const LONG_MS = 1_000

/**
 * Some things have to be looked up before it is known whose request it is, and so before the request is counted: a key, a tenant in a
 * path, whose signature it is. An address that has named many that are not there waits. What was found here lately is not held up by a
 * neighbour at the same address, and is still looked up every time.
 */
export function openStrangers(anonymousPerMinute: number, now: () => number = () => performance.now()): Strangers {
  const misses = localLimiter({ now, windowMs: WINDOW_MS, maxBucketsPerKind: MOST_ADDRESSES })
  const inTurn = openTurns(AT_ONCE, anonymousPerMinute * LOOKS)
  const known = new Map<string, number>()
  const limits = (address: string) => [
    { name: 'stranger', bucket: `stranger:${address}`, limit: anonymousPerMinute * LOOKS },
  ]
  function keep(name: string, tenantId: number): void {
    if (known.has(name)) return
    const [oldest] = known.keys()
    if (known.size >= MOST_KNOWN && oldest !== undefined) known.delete(oldest)
    known.set(name, tenantId)
  }
  async function find<Found extends { readonly tenantId: number }>(
    name: string,
    address: string,
    ask: () => Promise<Found | undefined>,
  ): Promise<Looked<Found>> {
    const found = await ask()
    if (found !== undefined) keep(name, found.tenantId)
    else {
      // A key that was revoked is a stranger's from now on.
      known.delete(name)
      misses.record(limits(address))
    }
    return { refused: null, found }
  }
  return {
    look: (name, address, ask) =>
      known.has(name)
        ? find(name, address, ask)
        : inTurn(address, async () => {
            const verdict = misses.peek(limits(address))
            return verdict.admitted ? await find(name, address, ask) : { refused: verdict }
          }),
    ownerOf: (name) => known.get(name),
  }
}

type Line = { readonly pass: ReturnType<typeof openTurnstile>; users: number; long: number }

/** Lets so many of each line work at once, in the order in which they came, and so many more that take long. */
function openTurns(
  atOnce: number,
  mostLong: number,
): <Result>(line: string, work: () => Promise<Result>) => Promise<Result> {
  const lines = new Map<string, Line>()
  return async (name, work) => {
    const line = lines.get(name) ?? { pass: openTurnstile(atOnce), users: 0, long: 0 }
    lines.set(name, line)
    line.users++
    try {
      const { working } = await line.pass(async () => {
        const working = work()
        await turnOf(line, working, mostLong)
        return { working }
      })
      return await working
    } finally {
      if (--line.users === 0) lines.delete(name)
    }
  }
}

/** Resolves when the next may begin. */
async function turnOf(line: Line, working: Promise<unknown>, mostLong: number): Promise<void> {
  const over = working.then(
    () => true,
    () => true,
  )
  if ((await inTime(LONG_MS, over)) === true) return
  if (line.long >= mostLong) {
    await over
    return
  }
  line.long++
  void over.then(() => line.long--)
}
