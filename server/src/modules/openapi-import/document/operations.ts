import { type JsonObject, member, turnOf, type Work } from '../../../kernel/json/index.ts'
import { isServiceHeader, type Method } from '../../../tools/catalog/index.ts'
import { mostOperations } from '../limits.ts'
import { type Body, bodyOf } from './body.ts'
import { type Input, nameInputs, type Unnamed } from './inputs.ts'
import type { MemberReader } from './members.ts'
import { nameOperations } from './names.ts'
import { type Note, noteOf } from './notes.ts'
import { type Declared, declaredIn, type Missing, parameterInputs } from './parameters.ts'
import { type Route, routeOf } from './paths.ts'
import { DocumentRefused, listOf, named, objectOf, type Reading, textOf } from './reading.ts'

/** One operation of the document, as a tool would call it. */
export type Operation = {
  readonly name: string
  readonly method: Method
  /** As the document writes it. */
  readonly path: string
  readonly route: Route
  /** Empty where the document has none. */
  readonly description: string
  readonly deprecated: boolean
  readonly inputs: readonly Input[]
  readonly body: Pick<Body, 'kind' | 'mediaType'>
}

export type ReadDocument = {
  readonly operations: readonly Operation[]
  /** The names that they would have if none were registered, in the same order. */
  readonly formerNames: readonly string[]
  readonly notes: readonly Note[]
}

const METHODS: ReadonlyMap<string, Method> = new Map([
  ['get', 'GET'],
  ['put', 'PUT'],
  ['post', 'POST'],
  ['delete', 'DELETE'],
  ['options', 'OPTIONS'],
  ['head', 'HEAD'],
  ['patch', 'PATCH'],
])
type Found = {
  readonly method: Method
  readonly path: string
  readonly route: Route
  readonly item: JsonObject
  readonly operation: JsonObject
  readonly id: string | undefined
}

/** Operations that are read before other requests get a turn; twenty inputs take as long as one. */
const perTurn = 50

/** Reads every operation. `registered` holds the names that the catalog's bindings have, by method and path. */
export function* readOperations(reading: Reading, registered: ReadonlyMap<string, string>): Work<ReadDocument> {
  const notes: Note[] = []
  const found = yield* findOperations(reading, notes)
  if (found.length === 0)
    throw new DocumentRefused(
      `The document has no operation that could be called. ${reading.lost.size === 0 ? 'Its paths are missing or empty.' : 'Its paths are references to other files: bundle the document into one.'}`,
    )
  const names = nameOperations(found, registered)
  const items = new Map<JsonObject, Declared>()
  const known: Known = { members: new Map(), inputs: new Map() }
  const operations: Operation[] = []
  const isTurnOver = turnOf(perTurn)
  for (const [index, one] of found.entries()) {
    const shared = items.get(one.item) ?? declaredIn(reading, one.item)
    items.set(one.item, shared)
    operations.push(readOperation(reading, { ...one, name: names[index] ?? '', shared, known }, notes))
    if (isTurnOver(1 + (operations.at(-1)?.inputs.length ?? 0) / 20)) yield
  }
  noteCredentialPlaces(reading, notes)
  const formerNames = registered.size === 0 ? names : nameOperations(found, new Map())
  return { operations, formerNames, notes }
}

function* findOperations(reading: Reading, notes: Note[]): Work<Found[]> {
  const found: Found[] = []
  const isTurnOver = turnOf(perTurn)
  for (const [path, sent] of Object.entries(objectOf(reading.root, 'paths'))) {
    if (path.startsWith('x-')) continue
    if (isTurnOver(1)) yield
    reading.step(1)
    const item = reading.follow(sent)
    if (item === undefined) continue
    const route = routeOf(path)
    for (const [verb, method] of methodsOf(item)) {
      reading.step(5)
      const operation = reading.follow(member(item, verb))
      if (operation === undefined) continue
      if (route === undefined) {
        notes.push(noteOf('uncallable_path', `${method} ${path}`, 'Its path cannot be called, so it is left out.'))
        continue
      }
      const id = member(operation, 'operationId')
      found.push({ method, path, route, item, operation, id: typeof id === 'string' ? id : undefined })
      if (found.length > mostOperations) throw tooMany
    }
  }
  return found
}

const tooMany = new DocumentRefused(
  `The document has more than ${mostOperations} operations, the most that can be drafted at once. Cut it down to the paths that an assistant needs, and import those.`,
)

function methodsOf(item: JsonObject): [string, Method][] {
  return Object.keys(item).flatMap((verb): [string, Method][] => {
    const method = METHODS.get(verb)
    return method === undefined ? [] : [[verb, method]]
  })
}

/** What was read once, because several operations have it. */
type Known = { readonly members: MemberReader; readonly inputs: Map<JsonObject, Unnamed> }
type Named = Found & { readonly name: string; readonly shared: Declared; readonly known: Known }

function readOperation(reading: Reading, one: Named, notes: Note[]): Operation {
  const { name, method, path, route, operation } = one
  const declared = declaredIn(reading, operation, one.shared)
  const body = bodyOf(reading, one, declared, one.known.members)
  if (body.leftOut !== undefined) notes.push(noteOf('body_left_out', name, `Its body is left out: ${body.leftOut}.`))
  if (listOf(operation, 'servers').length > 0 || listOf(one.item, 'servers').length > 0)
    notes.push(
      noteOf('own_server', name, 'The document gives it a server of its own; it is called at baseUrl all the same.'),
    )
  const { inputs, missing } = parameterInputs(reading, declared, one.known.inputs)
  const kept = placed(inputs, route, missing)
  missing.push(...(body.files ?? []).map((file) => ({ name: file, reason: 'files cannot be sent' })))
  noteMissing(reading, name, missing, notes)
  return {
    name,
    method,
    path,
    route,
    description: textOf(operation, 'description') || textOf(operation, 'summary') || textOf(one.item, 'summary'),
    deprecated: member(operation, 'deprecated') === true,
    inputs: nameInputs([...kept, ...body.inputs]),
    body,
  }
}

/** What the path really holds decides what is in it: a template without a parameter is a required text, a parameter without a template has no place. */
function placed(inputs: readonly Unnamed[], { inPath, inQuery }: Route, leftOut: Missing[]): Unnamed[] {
  const missing = new Set([...inPath, ...inQuery.keys()])
  const kept: Unnamed[] = []
  for (const input of inputs) {
    const { name } = input.place
    if (input.place.in !== 'path') {
      // `?query={query}` and a query parameter of the same name are one.
      if (input.place.in === 'query' && [...inQuery.values()].includes(name)) {
        for (const [template, wire] of inQuery) if (wire === name) missing.delete(template)
      }
      kept.push(input)
      continue
    }
    if (!missing.has(name)) {
      leftOut.push({ name, reason: 'the path has no place for it' })
      continue
    }
    missing.delete(name)
    const wire = inQuery.get(name)
    kept.push(wire === undefined ? input : { ...input, place: { in: 'query', name: wire } })
  }
  for (const template of missing) {
    const wire = inQuery.get(template)
    kept.push({
      place: wire === undefined ? { in: 'path', name: template } : { in: 'query', name: wire },
      required: true,
      description: '',
      schema: { type: 'string' },
      examples: [],
    })
  }
  return kept
}

/** One note for all of them. */
function noteMissing(reading: Reading, name: string, missing: readonly Missing[], notes: Note[]): void {
  if (missing.length === 0) return
  const said = missing.slice(0, 5).map((one) => `${named(one.name)} (${one.reason})`)
  const more = missing.length > said.length ? `, and ${missing.length - said.length} more` : ''
  const message = `Some of its inputs are left out: ${said.join(', ')}${more}.`
  reading.say(message.length)
  notes.push(noteOf('input_left_out', name, message))
}

function noteCredentialPlaces(reading: Reading, notes: Note[]): void {
  const schemes = {
    ...objectOf(reading.root, 'securityDefinitions'),
    ...objectOf(objectOf(reading.root, 'components'), 'securitySchemes'),
  }
  for (const sent of Object.values(schemes).slice(0, 20)) {
    const scheme = reading.follow(sent)
    if (scheme === undefined || member(scheme, 'type') !== 'apiKey') continue
    const [place, name] = [textOf(scheme, 'in'), textOf(scheme, 'name')]
    const called = JSON.stringify(name.slice(0, 100))
    if (place === 'query' || (place === 'header' && !isServiceHeader(name)))
      notes.push(
        noteOf(
          'credential_place',
          null,
          `The document knows a credential that is sent as the ${place === 'query' ? 'query parameter' : 'header'} ${called}. Send credential as {"scheme": "${place}", "name": ${called}, "value": …} for it: a plain text is sent as a bearer token.`,
        ),
      )
  }
}
