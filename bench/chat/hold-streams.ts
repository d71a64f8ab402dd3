import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort, healthy, startNode } from '../parts/child.ts'
import { median, rounded } from '../parts/rounds.ts'
import { lasting, sized } from '../parts/scale.ts'

const STREAMS = sized(200)
const EVERY_MS = 100
const HELD_MS = lasting(24_000)
const SAMPLES = 48

export type Held = {
  readonly ratio: number
  readonly figures: Readonly<Record<string, number>>
}

/** 200 readers, each beginning anew when its answer ends, for a while: what the service's memory does meanwhile. */
export async function holdStreams(): Promise<Held> {
  const [modelPort, port] = [await freePort(), await freePort()]
  const provider = startNode('bench/model/provider.ts', [String(modelPort), String(EVERY_MS)])
  await healthy(modelPort, 20)
  const service = startNode('bench/chat/serve-chat.ts', [String(port), `http://127.0.0.1:${modelPort}/v1`], {
    stdout: 'pipe',
  })
  const key = await firstLine(service.process.stdout)
  await healthy(port, 20)
  const stop = AbortSignal.timeout(HELD_MS)
  const counts = { whole: 0, broken: 0, open: 0, most: 0 }
  const reading = Array.from({ length: STREAMS }, async (_, index) => {
    await pause(index * 10)
    while (!stop.aborted) await readOne(`http://127.0.0.1:${port}`, key, counts)
  })
  const memory: number[] = []
  const cpuBefore = service.cpuMs()
  while (!stop.aborted) {
    await pause(HELD_MS / SAMPLES)
    memory.push(residentMb(service.pid))
  }
  await Promise.all(reading)
  const cpuMs = (service.cpuMs() ?? Number.NaN) - (cpuBefore ?? Number.NaN)
  await Promise.all([service.stop(), provider.stop()])
  if (counts.broken > 0) throw new Error(`${counts.broken} of the answers were not whole.`)
  // The first quarter fills caches and pools; flat is what comes after it.
  const quarter = Math.floor(memory.length / 4)
  const [early, late] = [median(memory.slice(quarter, 2 * quarter)), median(memory.slice(-quarter))]
  const figures = {
    streams: counts.most,
    answers: counts.whole,
    earlyMb: Math.round(early),
    lateMb: Math.round(late),
    cpuMsPerAnswer: rounded(cpuMs / counts.whole),
  }
  return { ratio: rounded(late / early), figures }
}

type Counts = { whole: number; broken: number; open: number; most: number }

async function readOne(url: string, key: string, counts: Counts): Promise<void> {
  counts.open++
  counts.most = Math.max(counts.most, counts.open)
  const response = await fetch(`${url}/v1/chat/stream`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ prompt: 'Where are my orders?' }),
  })
  const text = await response.text()
  counts.open--
  if (text.includes('"type":"complete"')) counts.whole++
  else counts.broken++
}

const residentMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN) / 1024

async function firstLine(stream: NodeJS.ReadableStream | null): Promise<string> {
  let text = ''
  for await (const piece of stream ?? []) {
    text += String(piece)
    if (text.includes('\n')) break
  }
  return text.split('\n', 1)[0] ?? ''
}
