// What reading a model's answer costs: fifty words streamed from loopback, read by our adapter, by a program of nothing but fetch
// and a parser, by the AI SDK's provider package and by its `streamText`.
// What counts is the processor time of this process for one of them.
import { openPeers, type Peer } from './model/peers.ts'
import { freePort, healthy, startNode } from './parts/child.ts'
import { judged, say } from './parts/report.ts'
import { median, ratioOf, rounded, takeTurns } from './parts/rounds.ts'
import { repeated } from './parts/scale.ts'

const inFlight = 8
const streamsOfSlice = repeated(48)
const options = { rounds: 14, warmUpRounds: 3 }

const port = await freePort()
const server = startNode('bench/model/provider.ts', [String(port)])
await healthy(port, 20)
const peers = openPeers(`http://127.0.0.1:${port}/v1`)

const words = new Set<string>()

/** Does a slice of one peer, and says how many of its kind a second of processor time is enough for. */
function sliceOf(peer: Peer, firsts: number[]): () => Promise<number> {
  return async () => {
    const before = process.cpuUsage()
    let left = streamsOfSlice
    const worker = async (): Promise<void> => {
      while (left-- > 0) {
        const { text, firstMs } = await peer()
        words.add(text)
        firsts.push(firstMs)
      }
    }
    await Promise.all(Array.from({ length: inFlight }, worker))
    const { user, system } = process.cpuUsage(before)
    return (streamsOfSlice / (user + system)) * 1_000_000
  }
}

const first = { bare: [], ours: [], provider: [], streamText: [] } satisfies Record<keyof typeof peers, number[]>
const rates = await takeTurns(
  {
    bare: sliceOf(peers.bare, first.bare),
    ours: sliceOf(peers.ours, first.ours),
    provider: sliceOf(peers.provider, first.provider),
    streamText: sliceOf(peers.streamText, first.streamText),
  },
  options,
)
await server.stop()
if (words.size !== 1) throw new Error('They did not all read the same words.')

const microseconds = (perSecond: readonly number[]): number => Math.round(1_000_000 / median(perSecond))
const figures = {
  inFlight,
  bareUs: microseconds(rates.bare),
  oursUs: microseconds(rates.ours),
  providerUs: microseconds(rates.provider),
  streamTextUs: microseconds(rates.streamText),
  bareFirstMs: rounded(median(first.bare)),
  oursFirstMs: rounded(median(first.ours)),
  providerFirstMs: rounded(median(first.provider)),
  streamTextFirstMs: rounded(median(first.streamText)),
}

say({
  bench: 'model-stream',
  promise: 'Reading a stream of a model costs at most 1.1 times the processor time of fetch and a bare parser',
  results: [
    judged('processor time, ours to bare fetch and parse', ratioOf(rates.bare, rates.ours), { atMost: 1.1 }, figures),
    { what: 'the AI SDK provider package to the same', ...ratioOf(rates.bare, rates.provider) },
    { what: 'streamText of the AI SDK to the same', ...ratioOf(rates.bare, rates.streamText) },
  ],
})
process.exit(0)
