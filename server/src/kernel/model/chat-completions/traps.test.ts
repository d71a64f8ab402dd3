// What providers of Chat Completions really send, each as a recorded stream.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { eventsOf, type Recorded, replay } from '../fixtures/replay.ts'
import { callChunk, chatCompletions, chunk, gather, request, usageChunk } from '../fixtures/rounds.ts'

async function read(t: TestContext, answer: Recorded, limits = {}) {
  const { baseUrl } = await replay(t, answer)
  return await gather(chatCompletions(t, baseUrl, limits))
}

const stream = (...chunks: readonly (object | string)[]): Recorded => ({ pieces: eventsOf(...chunks, '[DONE]') })
const began = (index: number, id: string, name: string, text = '') => ({
  index,
  id,
  type: 'function',
  function: { name, arguments: text },
})
const more = (index: number, text: string) => ({ index, function: { arguments: text } })

test('text comes as it is said, the usage of the last chunk without choices is taken, and the end is last', async (t) => {
  const got = await read(
    t,
    stream(
      chunk({ role: 'assistant', content: '' }),
      chunk({ content: 'It is ' }),
      chunk({ content: 'on its way.' }),
      chunk({}, 'stop'),
      usageChunk(12, 5),
    ),
  )
  assert.equal(got.text, 'It is on its way.')
  assert.deepEqual(got.usages, [{ inputTokens: 12, outputTokens: 5 }])
  assert.deepEqual(got.order.slice(-2), ['usage', 'finish'])
  assert.deepEqual(got.finishes, ['stop'])
})

test('a running usage in every chunk is given once, the last', async (t) => {
  const counted = (output: number) => ({
    ...chunk({ content: 'x' }),
    usage: { prompt_tokens: 3, completion_tokens: output },
  })
  const got = await read(t, stream(counted(1), counted(2), { ...chunk({}, 'stop'), usage: null }))
  assert.deepEqual(got.usages, [{ inputTokens: 3, outputTokens: 2 }])
})

test('arguments split over chunks, of calls that take turns, come whole and in the order of their beginning', async (t) => {
  const got = await read(
    t,
    stream(
      callChunk(began(1, 'b', 'get_order')),
      callChunk(began(0, 'a', 'get_order')),
      callChunk(more(0, '{"num'), more(1, '{"number":')),
      callChunk(more(1, '"B-\\u00e')),
      callChunk(more(0, 'ber":"A-1"}')),
      callChunk(more(1, '9"}')),
      chunk({}, 'tool_calls'),
    ),
  )
  assert.deepEqual(got.calls, [
    { id: 'b', name: 'get_order', arguments: '{"number":"B-\\u00e9"}' },
    { id: 'a', name: 'get_order', arguments: '{"number":"A-1"}' },
  ])
  assert.deepEqual(got.finishes, ['calls'])
})

test('missing ids are made up, apart from each other and from those of the conversation', async (t) => {
  const unnamed = (index: number) => ({ index, type: 'function', function: { name: 'get_order', arguments: '{}' } })
  const { baseUrl } = await replay(t, stream(callChunk(unnamed(0), unnamed(1)), chunk({}, 'tool_calls')))
  const got = await gather(chatCompletions(t, baseUrl), {
    ...request,
    messages: [
      ...request.messages,
      { role: 'assistant', text: '', calls: [{ id: 'call00002', name: 'get_order', arguments: '{}' }] },
      { role: 'tool', callId: 'call00002', name: 'get_order', text: '{}' },
    ],
  })
  assert.deepEqual(
    got.calls.map(({ id }) => id),
    ['call00003', 'call00004'],
  )
})

test('an id that was used before is replaced', async (t) => {
  const got = await read(
    t,
    stream(callChunk(began(0, 'x', 'a', '{}'), began(1, 'x', 'b', '{}')), chunk({}, 'tool_calls')),
  )
  assert.deepEqual(
    got.calls.map(({ id, name }) => [id, name]),
    [
      ['x', 'a'],
      ['call00001', 'b'],
    ],
  )
})

test('several whole calls that all say index 0, or none, stay apart', async (t) => {
  const whole = (fields: object, number: string) => ({
    ...fields,
    type: 'function',
    function: { name: 'get_order', arguments: `{"number":"${number}"}` },
  })
  for (const fields of [
    [
      { index: 0, id: 'a' },
      { index: 0, id: 'b' },
    ],
    [{ id: 'a' }, { id: 'b' }],
    [{ index: 0 }, { index: 0 }],
    [{}, {}],
  ]) {
    const [one = {}, other = {}] = fields
    const got = await read(t, stream(callChunk(whole(one, 'A')), callChunk(whole(other, 'B')), chunk({}, 'stop')))
    assert.deepEqual(
      got.calls.map((call) => call.arguments),
      ['{"number":"A"}', '{"number":"B"}'],
      JSON.stringify(fields),
    )
    assert.equal(new Set(got.calls.map(({ id }) => id)).size, 2)
    assert.deepEqual(got.finishes, ['calls'], 'calls that end with "stop" are calls')
  }
})

test('an id and a name that every piece repeats make one call', async (t) => {
  const piece = (text: string) => began(0, 'a', 'get_order', text)
  const got = await read(t, stream(callChunk(piece('{"number"')), callChunk(piece(':"A"}')), chunk({}, 'tool_calls')))
  assert.deepEqual(got.calls, [{ id: 'a', name: 'get_order', arguments: '{"number":"A"}' }])
})

test('empty, null and absent arguments are an empty object', async (t) => {
  const call = (index: number, about: object) => ({
    index,
    id: `i${index}`,
    type: 'function',
    function: { name: 'n', ...about },
  })
  const calls = [call(0, { arguments: '' }), call(1, { arguments: null }), call(2, {})]
  const got = await read(t, stream(callChunk(...calls), chunk({}, 'tool_calls')))
  assert.deepEqual(
    got.calls.map((one) => one.arguments),
    ['{}', '{}', '{}'],
  )
})

test('arguments sent as an object keep their numbers as written', async (t) => {
  const raw = `{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"n","arguments":{"id":9007199254740993,"x":[1.50]}}}]},"finish_reason":"tool_calls"}]}`
  const got = await read(t, stream(raw))
  assert.equal(got.calls[0]?.arguments, '{"id":9007199254740993,"x":[1.5]}')
})

test('arguments that are no JSON are handed on as they are: the one who asked must hear of it', async (t) => {
  const got = await read(t, stream(callChunk(began(0, 'a', 'n', '{"x": nonsense')), chunk({}, 'tool_calls')))
  assert.equal(got.calls[0]?.arguments, '{"x": nonsense')
})

for (const [name, end] of [
  ['CR LF', '\r\n'],
  ['CR', '\r'],
] as const) {
  test(`lines that end with ${name}, comments between them, an event of two lines, and no [DONE]`, async (t) => {
    const whole = [
      ': a comment',
      '',
      'event: message',
      'id: 7',
      `data: ${JSON.stringify(chunk({ content: 'ab' }))
        .replace('"object"', '\ndata: "object"')
        .replace('\n', end)}`,
      '',
      ': PROCESSING',
      `data:${JSON.stringify(chunk({ content: 'c' }, 'stop'))}`,
      '',
      '',
    ].join(end)
    // Also cut between every CR and its LF.
    for (const pieces of [[whole], whole.split(/(?<=\r)/), [...whole]]) {
      const got = await read(t, { pieces })
      assert.equal(got.text, 'abc')
      assert.deepEqual(got.finishes, ['stop'])
    }
  })
}

test('the last event counts without its empty line', async (t) => {
  const got = await read(t, { pieces: [`data: ${JSON.stringify(chunk({ content: 'x' }, 'stop'))}`] })
  assert.equal(got.text, 'x')
})

test('a character whose bytes come apart is whole', async (t) => {
  const bytes = Buffer.from(eventsOf(chunk({ content: 'გამარჯობა 👋' }), chunk({}, 'stop')).join(''))
  const got = await read(t, { pieces: Array.from(bytes, (byte) => Buffer.from([byte])) })
  assert.equal(got.text, 'გამარჯობა 👋')
})

test('thoughts are no text, a second choice is ignored, parts of text are joined, a refusal is text', async (t) => {
  const second = {
    index: 1,
    delta: { content: 'OTHER', tool_calls: [began(0, 'z', 'z', '{}')] },
    finish_reason: 'tool_calls',
  }
  const got = await read(
    t,
    stream(
      chunk({ reasoning_content: 'HIDDEN', reasoning: 'HIDDEN', thinking: 'HIDDEN', content: null }),
      { choices: [second] },
      { choices: [second, { index: 0, delta: { content: 'a' } }] },
      chunk({
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: 'HIDDEN' }] },
          { type: 'text', text: 'b' },
        ],
      }),
      chunk({ refusal: 'c' }),
      chunk({}, 'stop'),
    ),
  )
  assert.equal(got.text, 'abc')
  assert.deepEqual(got.calls, [])
  assert.deepEqual(got.finishes, ['stop'])
})

test('cut off by its length in the middle of a call: the half is never given out, the whole ones before it are', async (t) => {
  const halves = ['{"number":"A-', '{"number":"A-1"', '{"a":{"b":1}', '', '12', '"x"', '{"a":"}']
  for (const half of halves) {
    const got = await read(
      t,
      stream(
        callChunk(began(0, 'a', 'get_order', '{"number":"A"}')),
        callChunk(began(1, 'b', 'cancel', half)),
        chunk({}, 'length'),
      ),
    )
    assert.deepEqual(got.calls, [{ id: 'a', name: 'get_order', arguments: '{"number":"A"}' }], half)
    assert.deepEqual(got.finishes, ['length'])
  }
})

test('what a filter cut off asks for nothing', async (t) => {
  const got = await read(t, stream(callChunk(began(0, 'a', 'n', '{}')), chunk({}, 'content_filter')))
  assert.deepEqual([got.calls, got.finishes], [[], ['filtered']])
})

test('an answer that came whole although a stream was asked for', async (t) => {
  const message = {
    role: 'assistant',
    content: 'Let me look.',
    tool_calls: [
      { id: 'a', type: 'function', function: { name: 'get_order', arguments: '{"number":"A"}' } },
      {
        id: 'b',
        type: 'function',
        function: { name: 'get_order', arguments: { number: 12345678901234567890n.toString() } },
      },
    ],
  }
  const body = {
    choices: [{ index: 0, message, finish_reason: 'tool_calls' }],
    usage: { prompt_tokens: 1, completion_tokens: 2 },
  }
  const text = JSON.stringify(body, null, 2)
  for (const type of ['application/json', 'text/event-stream']) {
    const got = await read(t, {
      headers: { 'content-type': type },
      pieces: [`\n ${text.slice(0, 40)}`, text.slice(40)],
    })
    assert.equal(got.text, 'Let me look.')
    assert.equal(got.calls.length, 2)
    assert.deepEqual([got.usages, got.finishes], [[{ inputTokens: 1, outputTokens: 2 }], ['calls']])
  }
})

test('an end without a reason is believed after [DONE] only, and where something was said', async (t) => {
  const got = await read(t, stream(chunk({ content: 'x' })))
  assert.deepEqual(got.finishes, ['stop'])
  await assert.rejects(read(t, { pieces: eventsOf(chunk({ content: 'x' })) }), { name: 'ModelFailure', kind: 'broken' })
  await assert.rejects(read(t, stream(chunk({ content: '' }))), { kind: 'broken' })
})

test('after the reason of the end a provider may break off or stay silent: the answer is whole', async (t) => {
  for (const ends of ['cut', 'open'] as const) {
    const got = await read(t, { pieces: eventsOf(chunk({ content: 'x' }), chunk({}, 'stop')), ends })
    assert.deepEqual([got.text, got.finishes], ['x', ['stop']], ends)
  }
})
