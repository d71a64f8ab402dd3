// What a turn costs: fifty words streamed from a model on loopback, by a program of nothing but fetch and a parser, by our turn
// (moderation, frames, blocks, the answer held against what happened) and by `streamText` of the AI SDK; the same for two rounds
// with four reads between them. What counts is the processor time of this process. Then two hundred streams held by the whole
// service, and whether its memory stays flat.
import { holdStreams } from './chat/hold-streams.ts'
import { openPeers, type Peer } from './chat/peers.ts'
import { freePort, healthy, startNode } from './parts/child.ts'
import { judged, say } from './parts/report.ts'
import { median, ratioOf, rounded, takeTurns } from './parts/rounds.ts'
import { repeated } from './parts/scale.ts'

const inFlight = 8
const turnsOfSlice = repeated(48)
const options = { rounds: 14, warmUpRounds: 3 }

const port = await freePort()
const provider = startNode('bench/model/provider.ts', [String(port)])
await healthy(port, 20)
const url = `http://127.0.0.1:${port}/v1`
const [plain, withReads] = [openPeers(url, false), openPeers(url, true)]
const words = new Set<string>()

/** Does a slice of one peer, and says how many of its kind a second of processor time is enough for. */
function sliceOf(peer: Peer): () => Promise<number> {
  return async () => {
    const before = process.cpuUsage()
    let left = turnsOfSlice
    const worker = async (): Promise<void> => {
      while (left-- > 0) words.add((await peer()).text)
    }
    await Promise.all(Array.from({ length: inFlight }, worker))
    const { user, system } = process.cpuUsage(before)
    return (turnsOfSlice / (user + system)) * 1_000_000
  }
}

/** The time to the first word, one turn at a time, the peers taking turns. */
async function firstWords(peers: Readonly<Record<'bare' | 'ours' | 'streamText', Peer>>) {
  const first: Record<keyof typeof peers, number[]> = { bare: [], ours: [], streamText: [] }
  for (let turn = 0; turn < repeated(150); turn++) {
    for (const name of ['bare', 'ours', 'streamText'] as const) first[name].push((await peers[name]()).firstMs)
  }
  return { bare: median(first.bare), ours: median(first.ours), streamText: median(first.streamText) }
}

const rates = await takeTurns(
  {
    bare: sliceOf(plain.bare),
    ours: sliceOf(plain.ours),
    streamText: sliceOf(plain.streamText),
    bareReads: sliceOf(withReads.bare),
    ourReads: sliceOf(withReads.ours),
    sdkReads: sliceOf(withReads.streamText),
  },
  options,
)
const first = await firstWords(plain)
await provider.stop()
if (words.size !== 1) throw new Error('They did not all read the same words.')
const held = await holdStreams()

const microseconds = (perSecond: readonly number[]): number => Math.round(1_000_000 / median(perSecond))
const added = rounded(first.ours - first.bare)
say({
  bench: 'chat',
  promise: 'A turn costs at most 3 times fetch and a bare parser, and adds at most 3 ms to the first word',
  results: [
    judged(
      'a turn of 50 words, ours to bare',
      ratioOf(rates.bare, rates.ours),
      { atMost: 3 },
      {
        inFlight,
        bareUs: microseconds(rates.bare),
        oursUs: microseconds(rates.ours),
        streamTextUs: microseconds(rates.streamText),
      },
    ),
    { what: 'the same, streamText to bare', ...ratioOf(rates.bare, rates.streamText) },
    judged(
      'two rounds with four reads, ours to bare',
      ratioOf(rates.bareReads, rates.ourReads),
      { atMost: 3 },
      {
        bareUs: microseconds(rates.bareReads),
        oursUs: microseconds(rates.ourReads),
        streamTextUs: microseconds(rates.sdkReads),
      },
    ),
    { what: 'the same, streamText to bare', ...ratioOf(rates.bareReads, rates.sdkReads) },
    judged(
      'milliseconds added to the first word',
      { ratio: added, quartiles: [added, added] },
      { atMost: 3 },
      {
        bareMs: rounded(first.bare),
        oursMs: rounded(first.ours),
        streamTextMs: rounded(first.streamText),
      },
    ),
    judged(
      'memory under 200 streams, late to early',
      { ratio: held.ratio, quartiles: [held.ratio, held.ratio] },
      { atMost: 1.15 },
      held.figures,
    ),
  ],
})
process.exit(0)
