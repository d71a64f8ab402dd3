// A port for a program that is started with one, because it does not take any and tell.
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** A system gives whoever asks for any port, and whoever calls out, one of its own range, which begins above these. */
const [FIRST, END] = [20_000, 32_000]

/**
 * A port that nobody listens at. One that was given by the system and closed again could be another's before it is used: many tests
 * run at once, and each opens servers.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = randomInt(FIRST, END)
    if (await isFree(port)) return port
  }
  throw new Error(`No port between ${FIRST} and ${END} could be listened at: look at what else runs on this machine.`)
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
