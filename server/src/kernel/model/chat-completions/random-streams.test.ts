// Random rounds, cut into random pieces: whatever the cuts, the calls come out whole, in order, and once; and the AI SDK's own
// reader of this format reads the same from the same bytes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import fc from 'fast-check'
import type { Speaker } from '../failures.ts'
import { replay } from '../fixtures/replay.ts'
import { chatCompletions, chunk, request, usageChunk } from '../fixtures/rounds.ts'
import { ModelFailure } from '../port.ts'
import { openEventReader } from './event-reader.ts'
import { openRound } from './round.ts'

type Call = { readonly id: string; readonly name: string; readonly arguments: string }

const name = fc.stringMatching(/^[a-z][a-z0-9_]{2,10}$/)
const argumentsText = fc
  .dictionary(fc.string({ maxLength: 6 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 })
  .map((value) => JSON.stringify(value))
const calls = fc
  .array(fc.record({ name, arguments: argumentsText }), { maxLength: 6 })
  .map((made) => made.map((one, index): Call => ({ ...one, id: `call-${index}` })))
const words = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 })

const round = fc.record({
  calls,
  texts: fc.array(words, { maxLength: 8 }),
  /** Which call goes on next, and by how much. */
  turns: fc.array(fc.tuple(fc.nat(), fc.integer({ min: 1, max: 9 })), { maxLength: 80 }),
  usage: fc.tuple(fc.nat(100_000), fc.nat(100_000)),
  quirks: fc.record({
    lineEnd: fc.constantFrom('\n', '\r\n'),
    comments: fc.boolean(),
    done: fc.boolean(),
    repeatsId: fc.boolean(),
  }),
  /** Where the bytes come apart. */
  cuts: fc.array(fc.nat(), { maxLength: 30 }),
})
type Round = typeof round extends fc.Arbitrary<infer Value> ? Value : never

/** Pieces of several calls that take turns, each to its end, and texts between them. */
function chunksOf({ calls, texts, turns, usage, quirks }: Round): { chunks: object[]; begun: number[] } {
  const at = calls.map(() => -1)
  const begun: number[] = []
  const chunks: object[] = []
  const advance = (index: number, by: number) => {
    const call = calls[index]
    const from = at[index] ?? 0
    if (call === undefined || from >= call.arguments.length) return
    const upTo = from === -1 ? 0 : Math.min(call.arguments.length, from + by)
    const opens = from === -1
    if (opens) begun.push(index)
    at[index] = upTo
    chunks.push(
      chunk({
        tool_calls: [
          {
            index,
            ...(opens || quirks.repeatsId ? { id: call.id, type: 'function' } : {}),
            function: {
              ...(opens ? { name: call.name } : {}),
              arguments: opens ? '' : call.arguments.slice(from, upTo),
            },
          },
        ],
      }),
    )
  }
  for (const content of texts) chunks.push(chunk({ content }))
  if (calls.length > 0) for (const [which, by] of turns) advance(which % calls.length, by)
  for (const index of calls.keys()) {
    advance(index, 1)
    advance(index, Number.MAX_SAFE_INTEGER)
  }
  chunks.push(chunk({}, calls.length > 0 ? 'tool_calls' : 'stop'), usageChunk(...usage))
  return { chunks, begun }
}

function bytesOf(chunks: readonly object[], { quirks }: Round): Buffer {
  const { lineEnd, comments, done } = quirks
  const events = chunks.map(
    (one) => `${comments ? `: hm${lineEnd}${lineEnd}` : ''}data: ${JSON.stringify(one)}${lineEnd}${lineEnd}`,
  )
  return Buffer.from(events.join('') + (done ? `data: [DONE]${lineEnd}${lineEnd}` : ''))
}

function cutUp(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [...new Set([0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].sort(
    (one, other) => one - other,
  )
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end))
}

const speaker: Speaker = { at: 'https://provider.example', apiKey: undefined, section: 'AI:Provider', now: () => 0 }

function readAll(pieces: readonly Buffer[]) {
  const decoder = new TextDecoder()
  const reader = openEventReader(1_000_000)
  const read = openRound(new Set(), speaker)
  let text = ''
  for (const piece of pieces)
    text += reader
      .take(decoder.decode(piece, { stream: true }))
      .map(read.take)
      .join('')
  text += reader.end().map(read.take).join('')
  return { text, parts: read.end() }
}

test('whatever the cuts and the turns: the text, the calls in the order of their beginning, the usage, one end', () => {
  fc.assert(
    fc.property(round, (made) => {
      const { chunks, begun } = chunksOf(made)
      const { text, parts } = readAll(cutUp(bytesOf(chunks, made), made.cuts))
      assert.equal(text, made.texts.join(''))
      assert.deepEqual(
        parts.flatMap((part) => (part.type === 'call' ? [part.call] : [])),
        begun.map((index) => made.calls[index]),
      )
      const [inputTokens, outputTokens] = made.usage
      assert.deepEqual(
        parts.filter(({ type }) => type === 'usage'),
        [{ type: 'usage', usage: { inputTokens, outputTokens } }],
      )
      assert.deepEqual(parts.at(-1), { type: 'finish', reason: made.calls.length > 0 ? 'calls' : 'stop' })
    }),
    { numRuns: 400 },
  )
})

test('broken off anywhere before its end: no call leaves at all; cut off by its length anywhere: only whole ones do', () => {
  fc.assert(
    fc.property(round, fc.nat(), fc.boolean(), (made, place, saysLength) => {
      const { chunks } = chunksOf(made)
      const ending = chunks.length - 2
      const kept = chunks.slice(0, place % (ending + 1))
      const shown = saysLength ? [...kept, chunk({}, 'length')] : kept
      const whole = new Map(made.calls.map(({ id, arguments: text }) => [id, text]))
      const read = () => readAll(cutUp(bytesOf(shown, { ...made, quirks: { ...made.quirks, done: false } }), made.cuts))
      if (!saysLength) return assert.throws(read, ModelFailure)
      for (const part of read().parts) {
        if (part.type === 'call') assert.equal(part.call.arguments, whole.get(part.call.id))
      }
    }),
    { numRuns: 400 },
  )
})

test("the AI SDK's reader of this format reads the same text, calls and usage from the same bytes", async () => {
  await fc.assert(
    fc.asyncProperty(round, async (made) => {
      const { chunks } = chunksOf({ ...made, quirks: { ...made.quirks, repeatsId: false } })
      const pieces = cutUp(bytesOf(chunks, made), made.cuts)
      const ours = readAll(pieces)
      const theirs = await readByTheirs(pieces)
      assert.equal(ours.text, theirs.text)
      const own = ours.parts.flatMap((part) => (part.type === 'call' ? [part.call] : []))
      // Theirs gives a call out as soon as it is whole, ours in the order in which they began.
      const byId = (one: Call, other: Call) => one.id.localeCompare(other.id)
      assert.deepEqual(own.toSorted(byId), theirs.calls.toSorted(byId))
      assert.deepEqual(
        ours.parts.find(({ type }) => type === 'usage'),
        { type: 'usage', usage: theirs.usage },
      )
    }),
    { numRuns: 60 },
  )
})

test('aborted after any piece: nothing leaves afterwards, no call ever, and the connection is free', async (t) => {
  await fc.assert(
    fc.asyncProperty(round, fc.nat(), async (made, place) => {
      const { chunks } = chunksOf(made)
      const shown = chunks.slice(0, place % (chunks.length - 1))
      const pieces = cutUp(bytesOf(shown, { ...made, quirks: { ...made.quirks, done: false } }), made.cuts)
      const { baseUrl, asked, hungUp } = await replay(t, { pieces, ends: 'open' })
      const controller = new AbortController()
      const seen: string[] = []
      const expected = made.texts.slice(0, shown.length).join('')
      // Without a text to see there is only the moment at which it was asked.
      const poll = setInterval(() => {
        if (expected === '' && asked.length > 0) controller.abort(new Error('gone'))
      }, 1)
      await assert.rejects(async () => {
        for await (const part of chatCompletions(t, baseUrl).stream(request, controller.signal)) {
          assert.ok(!controller.signal.aborted, 'a part after the abort')
          seen.push(part.type === 'text' ? part.text : part.type)
          if (seen.join('') === expected) controller.abort(new Error('gone'))
        }
      }, /gone/)
      assert.equal(seen.join(''), expected)
      clearInterval(poll)
      await hungUp
    }),
    { numRuns: 40 },
  )
})

async function readByTheirs(pieces: readonly Buffer[]) {
  const body = ReadableStream.from(pieces.map((piece) => new Uint8Array(piece)))
  const provider = createOpenAICompatible({
    name: 'peer',
    baseURL: 'https://provider.example/v1',
    includeUsage: true,
    fetch: async () => new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
  })
  const { stream } = await provider('m').doStream({
    prompt: [{ role: 'user', content: [{ type: 'text', text: 'x' }] }],
  })
  let text = ''
  const calls: Call[] = []
  let usage = { inputTokens: -1, outputTokens: -1 }
  for await (const part of stream) {
    if (part.type === 'text-delta') text += part.delta
    if (part.type === 'tool-call') calls.push({ id: part.toolCallId, name: part.toolName, arguments: part.input })
    if (part.type === 'finish') {
      usage = { inputTokens: part.usage.inputTokens.total ?? -1, outputTokens: part.usage.outputTokens.total ?? -1 }
    }
  }
  return { text, calls, usage }
}
