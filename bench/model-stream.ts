// What reading a model's answer costs: fifty words streamed from loopback, read by our adapter, by a program of nothing but fetch
// and a parser, by the AI SDK's provider package and by its `streamText`; processor time of this process for one stream.
import { openPeers, type Peer } from './model/peers.ts'
import { freePort, healthy, startNode } from './parts/child.ts'
import { judged, say } from './parts/report.ts'
import { median, ratioOf, rounded, takeTurns } from './parts/rounds.ts'

const inFlight = 8
const streamsOfSlice = 64
const options = { rounds: 16, warmUpRounds: 4 }

const port = await freePort()
const server = startNode('bench/model/provider.ts', [String(port)])
await healthy(port, 20)
const peers = openPeers(`http://127.0.0.1:${port}/v1`)

const words = new Set<string>()
const first: Record<keyof typeof peers, number[]> = { bare: [], ours: [], provider: [], streamText: [] }

/** Streams for one second of processor time. */
const sliceOf = (name: keyof typeof peers, peer: Peer) => async (): Promise<number> => {
  const before = process.cpuUsage()
  let left = streamsOfSlice
  const worker = async (): Promise<void> => {
    while (left-- > 0) {
      const { text, firstMs } = await peer()
      words.add(text)
      first[name].push(firstMs)
    }
  }
  await Promise.all(Array.from({ length: inFlight }, worker))
  const { user, system } = process.cpuUsage(before)
  return (streamsOfSlice / (user + system)) * 1_000_000
}

const rates = await takeTurns(
  {
    bare: sliceOf('bare', peers.bare),
    ours: sliceOf('ours', peers.ours),
    provider: sliceOf('provider', peers.provider),
    streamText: sliceOf('streamText', peers.streamText),
  },
  options,
)
await server.stop()
if (words.size !== 1) throw new Error('The four did not read the same words.')

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
