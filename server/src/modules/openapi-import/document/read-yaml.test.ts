import assert from 'node:assert/strict'
import test from 'node:test'
import { longestYaml } from '../limits.ts'
import { jsonFromYaml, openYamlQueue } from './read-yaml.ts'

const read = async (text: string): Promise<unknown> => JSON.parse(await jsonFromYaml(text))
const lines = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n')

test('while YAML is read, others have their turn', async () => {
  let turns = 0
  const other = setInterval(() => turns++, 0)
  const text = `x:\n${lines(30_000, (index) => `  - {name: thing-${index}}`)}`
  const { x } = (await read(text)) as { x: unknown[] }
  clearInterval(other)
  assert.equal(x.length, 30_000)
  assert.ok(turns > 2, `${turns} turns`)
})

test('documents that come together are read one after the other, and a fault of one is its own', async () => {
  const queue = openYamlQueue()
  const read = await Promise.allSettled(['a: 1', 'a: [', 'a: 2'].map((text) => jsonFromYaml(text, queue(1))))
  assert.deepEqual(
    read.map((one) => (one.status === 'fulfilled' ? one.value : String(one.reason.message).slice(0, 42))),
    ['{"a":1}', 'The YAML of document cannot be read: unexp', '{"a":2}'],
  )
})

test('whoever comes waits for one document of each workspace, and not for all of somebody’s', async () => {
  const order: string[] = []
  const queue = openYamlQueue()
  const of = (tenantId: number, name: string) =>
    jsonFromYaml(`a: ${name}`, queue(tenantId)).then(() => order.push(name))
  await Promise.all([...['a1', 'a2', 'a3', 'a4'].map((name) => of(1, name)), of(2, 'b1'), of(3, 'c1')])
  assert.deepEqual(order, ['a1', 'b1', 'c1', 'a2', 'a3', 'a4'])
})

test('two services in one process do not wait for each other', { timeout: 10_000 }, async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<{ json: string }>()
  const waiting = openYamlQueue()(1)(() => held)
  assert.equal(await jsonFromYaml('a: 1', openYamlQueue()(1)), '{"a":1}')
  release({ json: '{}' })
  await waiting
})

test('YAML of more values than JSON may hold is refused before it is parsed', async () => {
  for (const [what, text] of Object.entries({
    documents: '---\n'.repeat(550_000),
    members: lines(550_000, (index) => `k${index}: 1`),
    numbers: `x: [${'1,'.repeat(900_000)}1]`,
    lists: `x: [${'[],'.repeat(600_000)}1]`,
    items: '- a\r'.repeat(550_000),
  }))
    await assert.rejects(jsonFromYaml(text), /more than 500000 lines and values.*send that/, what)
})

test('YAML is read up to the greatest length, and refused in words beyond it', async () => {
  const line = (index: number) => `  /things/number-${index}: {get: {operationId: thing${index}}}`
  const head = ['paths:', lines(20_000, line), 'info:', '  description: '].join('\n')
  const text = `${head}${'a word '.repeat((longestYaml - head.length) / 7)}`
  assert.ok(text.length > longestYaml - 10)
  const { paths } = (await read(text)) as { paths: object }
  assert.equal(Object.keys(paths).length, 20_000)
  await assert.rejects(jsonFromYaml(`${text}${'a'.repeat(10)}`), /longer than 16 MiB. Convert it to JSON/)
})
