import assert from 'node:assert/strict'
import test from 'node:test'
import { leastProcessorMs } from '../../../../testkit/processor.ts'
import { readsAsOurs } from './reads-as-ours.ts'

const json = (value: unknown) => readsAsOurs({ contentType: 'application/json', content: JSON.stringify(value) })
const text = (content: string) => readsAsOurs({ contentType: 'text/plain', content })
const form = (content: string) => readsAsOurs({ contentType: 'application/x-www-form-urlencoded', content })

test('what some receiver could take for a call, an event or a test of ours is recognised', () => {
  for (const value of [
    { type: 'tool_call' },
    { type: 'endpoint_test', request_id: 'r' },
    { type: 'claims_list', request_id: 'r' },
    { type: 'event', event: 'action.executed' },
    { event: 'action.executed', request_id: 'r' },
    { tool: 'refund_order', request_id: 'r' },
    { tool: 'refund_order', arguments: {} },
    // Go's parser passes over case, and folds as Unicode does.
    { Type: 'Tool_Call' },
    { TOOL: 'refund_order', requeſt_id: 'r' },
    { type: 'search', Type: 'tool_call' },
  ])
    assert.equal(json(value), true, JSON.stringify(value))
})

test('a body is read in every way in which a server might read it, because its content type is not signed', () => {
  const call = '{"type":"tool_call","request_id":"r","tool":"refund_order","arguments":{}}'
  for (const content of [
    call,
    ` \n${call}`,
    `\ufeff${call}`,
    `${call} and more`,
    `/* a comment */ ${call}`,
    '{"type":"search","type":"tool_call"}',
    '{"\\u0074ype":"tool\\u005Fcall"}',
    '{"tool":"refund_order", "request_id":"r",',
    // As UTF-16 without a mark of its order.
    [...call].join('\0'),
    `\0${[...call].join('\0')}`,
    // Behind what passes for the end of an id and a time of the other signature.
    `x.1767225600.${call}`,
    'type=tool_call&tool=refund_order',
    '--b\r\nContent-Disposition: form-data; name="type"\r\n\r\ntool_call\r\n--b--',
    "--b\r\nContent-Disposition: form-data; name=tool\r\n\r\nx\r\n--b\r\ncontent-disposition: form-data; name='a'; name=arguments[number]\r\n\r\nA-1\r\n--b--",
  ])
    assert.equal(text(content), true, JSON.stringify(content))
  for (const content of [
    'type=tool_call',
    'a=1&tool=refund_order&arguments%5Bnumber%5D=A-1',
    'a=1;%74ool=x;+request_id=1',
    'event=action.executed&type=event',
  ])
    assert.equal(form(content), true, content)
  assert.equal(readsAsOurs({ contentType: 'application/json', content: 'number=A-1' }), false, 'a form in name alone')
  assert.equal(json({ q: '&type=tool_call&tool=refund_order&request_id=r&x=' }), true)
})

test('what an API of a business takes is let through', () => {
  for (const value of [
    null,
    7,
    'type=',
    [],
    [{ type: 'tool_call' }],
    { type: 'event', title: 'The spring sale' },
    { event: 'signup', user_id: 7 },
    { tool: 'hammer', quantity: 2 },
    { arguments: ['-v'], request_id: 'r' },
    { data: { type: 'tool_call', request_id: 'r', tool: 'x', arguments: {} } },
    { type: { toString: 'tool_call' } },
    { text: 'A tool takes arguments, and an event has a type.' },
    { message: 'https://shop.example/?type=search&tool=hammer' },
  ])
    assert.equal(json(value), false, JSON.stringify(value))
  for (const content of [
    'A tool takes arguments: {"request_id": 1}',
    '{"query": "hammer"}',
    'version 1.2.3 of the tool, and its arguments',
  ])
    assert.equal(text(content), false, content)
  assert.equal(form('tool=hammer&quantity=2&note=event+of+type+tool_call'), false)
})

test('a long body takes as long as its length, whatever it repeats', () => {
  for (const piece of [
    '&a',
    '&tool',
    'name="',
    'name=a[\n',
    '.1.',
    '.1.      ',
    '{',
    '\\u0074',
    '%26',
    ' ',
    ';type=',
  ]) {
    const [short, long] = [20_000, 160_000].map((length) => {
      const content = piece.repeat(length / piece.length)
      return leastProcessorMs(() => text(content))
    }) as [number, number]
    // Eight times as long; what grows with the square would take 64 times as long.
    assert.ok(long < 40 * Math.max(short, 0.5), `${JSON.stringify(piece)}: ${short} and ${long} ms`)
  }
})
