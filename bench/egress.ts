// What the address rule, the pinning, the deadline and the byte count cost on the hot path: a pooled request through the egress room
// against undici's own `request`, on loopback, 32 in flight, in slices that take turns so that a noisy machine hurts both alike.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { Agent, request } from 'undici'
import { openEgress } from '../server/src/foundation/egress/index.ts'

const inFlight = 32
const sliceMs = 400
const slices = 10
const question = JSON.stringify({ type: 'call', request_id: 'a'.repeat(36), arguments: { query: 'x'.repeat(200) } })
const reply = JSON.stringify({ items: Array.from({ length: 10 }, (_, id) => ({ id, name: `item ${id}`, price: 9.5 })) })
const headers = { 'content-type': 'application/json', 'x-signature': 'a'.repeat(64), 'x-timestamp': '1700000000' }

type Slice = { readonly perSecond: number; readonly processorUs: number }

if (process.argv[2] === 'serve') serve()
else await measure()

function serve(): void {
  const server = createServer((incoming, outgoing) => {
    incoming.resume().on('end', () => outgoing.writeHead(200, { 'content-type': 'application/json' }).end(reply))
  })
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
  process.on('disconnect', () => process.exit())
}

async function measure(): Promise<void> {
  const child: ChildProcess = fork(fileURLToPath(import.meta.url), ['serve'])
  const [port] = (await once(child, 'message')) as [number]
  const url = `http://127.0.0.1:${port}/hook`
  const egress = openEgress({
    policy: { allowInsecure: true, allowPrivateNetwork: true },
    purposes: { calls: { connections: inFlight } },
    userAgent: 'bench',
  })
  const dispatcher = new Agent({ connections: inFlight, pipelining: 1, allowH2: false })
  const guarded = async (): Promise<void> => {
    const result = await egress.request({
      url,
      method: 'POST',
      headers,
      body: question,
      deadlineMs: 20_000,
      maxBytes: 262_144,
      credentialed: true,
      purpose: 'calls',
    })
    if (result.kind !== 'answer' || result.body.length !== reply.length) throw new Error(`no answer: ${result.kind}`)
  }
  const bare = async (): Promise<void> => {
    const { body } = await request(url, { method: 'POST', headers, body: question, dispatcher })
    if ((await body.arrayBuffer()).byteLength !== reply.length) throw new Error('no answer')
  }
  await slice(bare)
  await slice(guarded)
  const pairs: { bare: Slice; guarded: Slice }[] = []
  for (let index = 0; index < slices; index += 1) {
    // Whoever goes first changes with each pair.
    const first = index % 2 === 0 ? await slice(bare) : null
    const ours = await slice(guarded)
    pairs.push({ bare: first ?? (await slice(bare)), guarded: ours })
  }
  await egress.close()
  await dispatcher.close()
  child.disconnect()
  console.log(JSON.stringify(report(pairs)))
}

function report(pairs: readonly { bare: Slice; guarded: Slice }[]): Record<string, string | number> {
  const round = (value: number): number => Math.round(value * 1000) / 1000
  return {
    bench: 'egress',
    ratio: round(median(pairs.map(({ bare, guarded }) => guarded.perSecond / bare.perSecond))),
    // Processor time is the steadier figure where other work shares the machine. Above 1: less than undici's `request` takes.
    processorRatio: round(median(pairs.map(({ bare, guarded }) => bare.processorUs / guarded.processorUs))),
    egressPerSecond: Math.round(median(pairs.map(({ guarded }) => guarded.perSecond))),
    undiciPerSecond: Math.round(median(pairs.map(({ bare }) => bare.perSecond))),
    inFlight,
    slices,
  }
}

async function slice(one: () => Promise<void>): Promise<Slice> {
  const started = performance.now()
  const before = process.cpuUsage()
  let done = 0
  const worker = async (): Promise<void> => {
    while (performance.now() - started < sliceMs) {
      await one()
      done += 1
    }
  }
  await Promise.all(Array.from({ length: inFlight }, worker))
  const { user, system } = process.cpuUsage(before)
  return { perSecond: (done / (performance.now() - started)) * 1000, processorUs: (user + system) / done }
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
