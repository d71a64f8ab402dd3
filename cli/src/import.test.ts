// `tether import`: a person says of each operation what it does, or a file does, and nobody else.
import assert from 'node:assert/strict'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { BINARY, openService, type Started, set, start, tether } from './fixtures/binary.ts'

openService()

const DOCUMENT = `openapi: 3.0.3
info: {title: Orders, version: "1"}
paths:
  /orders/{number}:
    parameters: [{name: number, in: path, required: true, schema: {type: string}, description: As on the invoice.}]
    get: {operationId: get_order, summary: Looks up one order by the number that stands on its invoice., responses: {200: {description: It.}}}
    delete: {operationId: cancel_order, summary: "Cancels an order that has not been shipped yet. \\e[2J", responses: {200: {description: It.}}}
  /search:
    post: {operationId: search, summary: Finds the orders of a customer by the name of the customer., responses: {200: {description: They.}}}
`
const WORDS = ['import', 'api.yaml', '--base-url', 'http://127.0.0.1:9999']
const file = (name: string) => path.join(set.folder, name)
const read = (name: string) => JSON.parse(readFileSync(file(name), 'utf8')) as unknown
const declared = () => read('operations.json') as Record<string, unknown>

test('where nobody can be asked, it says what is not declared, and imports what a file declares', async () => {
  writeFileSync(file('api.yaml'), DOCUMENT)
  const draft = await tether([...WORDS, '--draft'])
  assert.equal(draft.code, 0, draft.err)
  assert.deepEqual(
    draft.out
      .trim()
      .split('\n')
      .map((line) => line.split('\t').slice(0, 3).join(' ')),
    ['get_order GET /orders/{number}', 'cancel_order DELETE /orders/{number}', 'search POST /search'],
  )
  const asked = await tether(WORDS)
  assert.deepEqual([asked.code, asked.out], [2, ''])
  assert.match(asked.err, /does not declare get_order, cancel_order, search\..*--skip-undeclared/)
  assert.equal(existsSync(file('tools.json')), false)
  writeFileSync(file('operations.json'), '{"get_order": {"is_write": false}, "unknown": {"is_write": true}}')
  const wrong = await tether([...WORDS, '--skip-undeclared'])
  assert.deepEqual([wrong.code, /unknown/.test(wrong.err)], [1, true], wrong.err)
  writeFileSync(file('operations.json'), '{"get_order": {"is_write": false}, "get_order": {"is_write": true}}')
  assert.match((await tether(WORDS)).err, /operations\.json:1:36: .*already/)
  writeFileSync(file('operations.json'), '{"get_order": {"is_write": false}}')
  const made = await tether([...WORDS, '--skip-undeclared'])
  assert.equal(made.code, 0, made.err)
  assert.deepEqual(
    (read('tools.json') as { name: string; is_write: boolean }[]).map(({ name, is_write }) => [name, is_write]),
    [['get_order', false]],
  )
  assert.equal((await tether([...WORDS, '--skip-undeclared'])).code, 2, 'a catalog that is there stays')
  assert.equal((await tether(['push'])).code, 0)
})

const SCRIPT = '/usr/bin/script'

/** Answers each question once it stands there. */
async function answers(started: Started, ...said: readonly string[]): Promise<void> {
  for (const [at, word] of said.entries()) {
    const questions = () => started.so.out.split('(q)uit: ').length - 1
    for (const end = performance.now() + 60_000; questions() <= at; ) {
      if (performance.now() > end || started.child.exitCode !== null) assert.fail(started.so.out)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    started.child.stdin.write(`${word}\n`)
  }
}

test('in a terminal each operation is asked about, nothing is preselected, and it goes on where it was left', {
  skip: existsSync(SCRIPT) ? false : 'there is no `script` here',
}, async () => {
  rmSync(file('operations.json'))
  const command = [process.execPath, BINARY, ...WORDS, '--output', 'shop.json'].map((word) => `'${word}'`).join(' ')
  const begin = () =>
    start([], { program: [SCRIPT, '-qec', command, '/dev/null'], stdin: null, env: { TERM: 'xterm' } })
  const first = begin()
  // Enter alone says nothing, and neither does a word that is none of them.
  await answers(first, '', 'yes', 'r', 'w', 'q')
  const { code, out } = await first.ended
  assert.equal(code, 1, out)
  assert.deepEqual(declared(), { get_order: { is_write: false } }, 'without its risk a write is not declared')
  // What readline itself writes does not clear the screen.
  assert.ok(!out.includes('\u001b[2J'))
  const second = begin()
  await answers(second, 'w', 'h', 's')
  const ended = await second.ended
  assert.equal(ended.code, 0, ended.out)
  assert.match(ended.out, /declares 1 of 3 operations[\s\S]*2 of 3 {2}cancel_order/)
  assert.deepEqual(declared(), {
    get_order: { is_write: false },
    cancel_order: { is_write: true, risk: 'high' },
    search: { skip: true },
  })
  assert.deepEqual(
    (read('shop.json') as { name: string }[]).map(({ name }) => name),
    ['get_order', 'cancel_order'],
  )
})
