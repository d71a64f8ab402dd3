import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ModelPart, storableStream } from './index.ts'

const REQUEST = { model: 'm', messages: [], tools: [], maxOutputTokens: 1 }

async function streamed(parts: readonly ModelPart[]): Promise<ModelPart[]> {
  const model = {
    kind: 'scripted',
    async *stream() {
      yield* parts
    },
  }
  const received: ModelPart[] = []
  for await (const part of storableStream(model, REQUEST, new AbortController().signal)) received.push(part)
  return received
}
const text = (said: string): ModelPart => ({ type: 'text', text: said })
const stop: ModelPart = { type: 'finish', reason: 'stop' }
const said = async (...texts: string[]) =>
  (await streamed([...texts.map(text), stop])).flatMap((part) => (part.type === 'text' ? part.text : [])).join('')

test('joins a surrogate pair that arrives in two parts, and replaces a half that stays alone', async () => {
  assert.equal(await said('a \ud83d', '\udca1 b'), 'a 💡 b')
  assert.equal(await said('a \ud83d', '', '\udca1'), 'a 💡')
  assert.equal(await said('a \ud83d', 'b \udca1'), 'a \ufffdb \ufffd')
  assert.equal(await said('a\0', '\ud83d'), 'a\ufffd\ufffd')
})

test('replaces what cannot be stored in a call, also where its arguments escape it', async () => {
  const call = { id: 'call\0', name: 'get\ud800', arguments: '{"number":"A\\u0000-\\ud83d\\udca1-\\ud800\0"}' }
  const [first] = await streamed([{ type: 'call', call }, stop])
  assert.deepEqual(first, {
    type: 'call',
    call: { id: 'call\ufffd', name: 'get\ufffd', arguments: '{"number":"A\\ufffd-\\ud83d\\udca1-\\ufffd\ufffd"}' },
  })
})
