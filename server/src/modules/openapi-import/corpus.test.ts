// Every real document: it drafts, its operations are those that an independent script counted, and what a person would
// declare of it can be registered as it is.
import assert from 'node:assert/strict'
import test from 'node:test'
import { atOnce, isObject, type Json, member, parseJsonBytes, stringifyJson } from '../../kernel/json/index.ts'
import { toolNamePattern, validateCatalog } from '../../tools/catalog/index.ts'
import { readDeclarations } from './declarations.ts'
import { openDocument } from './document/open-document.ts'
import { type Operation, readOperations } from './document/operations.ts'
import { DocumentRefused } from './document/reading.ts'
import { draftOperations, looksLikeWrite } from './draft.ts'
import {
  corpusBytes,
  corpusMissing,
  corpusOperations,
  corpusSets,
  corpusYaml,
  type ListedOperation,
} from './fixtures/corpus.ts'
import { openInputType } from './input-type.ts'
import { makeTools } from './tools.ts'

const skip = corpusMissing

async function opened(document: Json) {
  const reading = await openDocument(document)
  return { reading, ...atOnce(readOperations(reading, new Map())) }
}

async function imported(document: Json) {
  const { reading, ...read } = await opened(document)
  const typeOf = openInputType(reading)
  const draft = atOnce(draftOperations(reading, read.operations, typeOf))
  const declared = Object.fromEntries(
    read.operations.map((operation) => [operation.name, { is_write: looksLikeWrite(operation) }]),
  )
  const { faults, ...declarations } = readDeclarations({ operations: declared, skipUndeclared: false }, read)
  assert.deepEqual(faults.found, [])
  const made = atOnce(makeTools(reading, declarations.declared, typeOf))
  return { operations: read.operations, draft, catalog: made.map(({ tool }) => tool) }
}

test('every document drafts, and its declared catalog passes the rules of registration as it is', {
  skip,
}, async () => {
  for (const file of Object.keys(corpusOperations())) {
    const bytes = corpusBytes(file)
    const document = parseJsonBytes(bytes)
    if (file === 'oai-webhook-example-3.1.json') {
      await assert.rejects(imported(document), /no operation/)
      continue
    }
    const { operations, catalog, draft } = await imported(document)
    const names = new Set(operations.map(({ name }) => name))
    assert.equal(names.size, operations.length, file)
    for (const name of names) assert.match(name, toolNamePattern, file)
    assert.ok(
      stringifyJson(draft).length < Math.max(20_000, 1.5 * bytes.length),
      `the draft of ${file} is longer than it`,
    )
    const checked = validateCatalog(parseJsonBytes(Buffer.from(stringifyJson(catalog))))
    assert.ok(checked.ok, `${file}: ${checked.ok ? '' : checked.error}`)
  }
})

/** Why our inputs are others than the list's, each found by its own look at the operation. */
const CAUSES: Readonly<Record<string, (listed: ListedOperation, operation: Operation, input: string) => boolean>> = {
  'a header that we write ourselves': (_, __, input) =>
    /^header (?:accept|content-type|content-length|authorization|idempotency-key)$/i.test(input),
  'a reference to another file': ({ params }, _, input) =>
    params.some(({ in: place, name }) => place === undefined && input.endsWith(name)),
  'a template behind the question mark is a query': ({ path }, _, input) =>
    path.includes('?') && /^(?:path|query) /.test(input),
  'a file, or a body that is neither JSON nor a form': ({ body }, operation, input) =>
    input.startsWith('body ') &&
    operation.inputs.every(({ place }) => `body ${place.name}` !== input) &&
    (body?.type === 'form' || body?.media.every((type) => !/json|urlencoded|^\*/.test(type)) === true),
  'a GET carries no body': ({ method }, _, input) => method === 'GET' && input.startsWith('body '),
  'members that one branch of a choice names': ({ body }, operation, input) =>
    input.startsWith('body ') &&
    operation.inputs.some(({ place }) => `body ${place.name}` === input) &&
    /Of$|^object$/.test(body?.type ?? ''),
}

test('method, path and inputs of every operation are those of the independent list, but for named causes', {
  skip,
}, async () => {
  const met = new Set<string>()
  let operations = 0
  for (const [file, list] of Object.entries(corpusOperations())) {
    if (list.length === 0) continue
    const found = (await opened(parseJsonBytes(corpusBytes(file)))).operations
    const byPlace = new Map(found.map((operation) => [`${operation.method} ${operation.path}`, operation]))
    assert.deepEqual([...byPlace.keys()].sort(), list.map(({ method, path }) => `${method} ${path}`).sort(), file)
    for (const listed of list) {
      operations++
      const operation = byPlace.get(`${listed.method} ${listed.path}`)
      assert.ok(operation)
      for (const input of differences(listed, operation)) {
        const [cause] = Object.entries(CAUSES).find(([, holds]) => holds(listed, operation, input)) ?? []
        assert.ok(cause, `${file}: ${listed.method} ${listed.path} differs in ${input}`)
        met.add(cause)
      }
      for (const { place, required } of operation.inputs) if (place.in === 'path') assert.ok(required)
    }
  }
  assert.ok(operations > 8_000)
  assert.deepEqual([...met].sort(), Object.keys(CAUSES).sort())
})

function differences(listed: ListedOperation, operation: Operation): string[] {
  const theirs = new Set([
    ...listed.params.map(({ in: place, name }) => `${place} ${name}`),
    ...(listed.body?.props ?? []).filter(({ readOnly }) => readOnly !== true).map(({ name }) => `body ${name}`),
  ])
  const ours = new Set(
    operation.inputs.filter(({ place }) => place.whole !== true).map(({ place }) => `${place.in} ${place.name}`),
  )
  return [...[...theirs].filter((input) => !ours.has(input)), ...[...ours].filter((input) => !theirs.has(input))]
}

test('what is broken or odd ends as a catalog or as a refusal in words', { skip }, async () => {
  const ended = { imported: 0, refused: 0 }
  for (const file of corpusSets()) {
    const entries = parseJsonBytes(corpusBytes(file))
    assert.ok(Array.isArray(entries))
    for (const entry of entries) {
      const document = isObject(entry) ? (member(entry, 'document') ?? null) : null
      try {
        const checked = validateCatalog((await imported(document)).catalog)
        assert.ok(checked.ok, checked.ok ? '' : checked.error)
        ended.imported++
      } catch (error) {
        assert.ok(error instanceof DocumentRefused, String(error))
        ended.refused++
      }
    }
  }
  assert.ok(ended.imported >= 70 && ended.imported + ended.refused === 159, JSON.stringify(ended))
})

test('YAML gives what its JSON gives', { skip }, async () => {
  for (const file of corpusYaml()) {
    const yaml = await imported(corpusBytes(`yaml/${file}`).toString())
    const json = await imported(parseJsonBytes(corpusBytes(file.replace('.yaml', '.json'))))
    assert.equal(stringifyJson(yaml.catalog), stringifyJson(json.catalog), file)
  }
})
