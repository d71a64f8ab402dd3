import assert from 'node:assert/strict'
import test from 'node:test'
import { atOnce, type JsonObject, parseJson, stringifyJson, type Work } from '../../kernel/json/index.ts'
import { validateCatalog } from '../../tools/catalog/index.ts'
import { readDeclarations } from './declarations.ts'
import { openDocument } from './document/open-document.ts'
import { readOperations } from './document/operations.ts'
import { draftOperations, looksLikeWrite } from './draft.ts'
import { REFUSED, TAKEN } from './fixtures/hostile.ts'
import { openInputType } from './input-type.ts'
import { makeTools } from './tools.ts'

/** Of the processor, and not of the clock: others may run beside it. A fast machine takes an eighth of either. */
const MOST_MS = { refused: 5_000, taken: 1_500 } as const

async function within<T>(most: number, work: () => Promise<T>): Promise<T> {
  const before = process.cpuUsage()
  try {
    return await work()
  } finally {
    const { user, system } = process.cpuUsage(before)
    const ms = (user + system) / 1000
    assert.ok(ms < most, `took ${Math.round(ms)} ms of processor`)
  }
}

async function drafted(document: JsonObject) {
  const reading = await openDocument(document)
  const read = atOnce(readOperations(reading, new Map()))
  const typeOf = openInputType(reading)
  return { reading, read, typeOf, draft: atOnce(draftOperations(reading, read.operations, typeOf)) }
}

async function working(document: JsonObject) {
  const { reading, read, typeOf } = await drafted(document)
  const operations = Object.fromEntries(read.operations.map((one) => [one.name, { is_write: looksLikeWrite(one) }]))
  const { faults, ...declarations } = readDeclarations({ operations, skipUndeclared: false }, read)
  assert.deepEqual(faults.found, [])
  return makeTools(reading, declarations.declared, typeOf)
}

const declared = async (document: JsonObject) => atOnce(await working(document)).map(({ tool }) => tool)

const turnsOf = (work: Work<unknown>): number => {
  let turns = 0
  while (!work.next().done) turns++
  return turns
}

for (const [what, [make, word]] of Object.entries(REFUSED)) {
  test(`${what}: refused in words, in bounded time`, async () => {
    const document = make()
    await within(MOST_MS.refused, () => assert.rejects(drafted(document), word))
  })
}

for (const [what, make] of Object.entries(TAKEN)) {
  test(`${what}: drafted, declared and registered, in bounded time`, async () => {
    const document = make()
    const catalog = await within(MOST_MS.taken, () => declared(document))
    // As it goes out, and comes back with PUT.
    const text = stringifyJson(catalog)
    const checked = validateCatalog(parseJson(text))
    assert.ok(checked.ok, checked.ok ? '' : checked.error)
    assert.ok(!/passwd|shadow|127\.0\.0\.1|169\.254/.test(text))
  })
}

test('others have their turn between the shapes of one tool, and while many inputs are drafted', async () => {
  const members = (name: string, count: number, schema: JsonObject) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`${name}${at}`, schema]))
  const schema = { properties: members('part', 40, { properties: members('member', 600, { type: 'string' }) }) }
  const body = { requestBody: { content: { 'application/json': { schema } } } }
  const one = { openapi: '3.1.0', paths: { '/a': { post: body } } }
  assert.ok(turnsOf(await working(one)) >= 3)
  const many = {
    openapi: '3.1.0',
    paths: Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`/a${at}`, { post: body }])),
  }
  const { reading, read, typeOf } = await drafted(many)
  assert.ok(turnsOf(draftOperations(reading, read.operations, typeOf)) >= 5)
})
