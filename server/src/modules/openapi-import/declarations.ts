import { cut, isObject, type Json, type JsonObject, listed, member, present, shown } from '../../kernel/json/index.ts'
import type { Input } from './document/inputs.ts'
import { type Note, noteOf } from './document/notes.ts'
import type { Operation } from './document/operations.ts'

/** What a person said of an operation that becomes a tool. */
export type Declared = {
  readonly operation: Operation
  readonly isWrite: boolean
  /** As it was sent, without members that are null. */
  readonly said: JsonObject
  readonly inputs: readonly Input[]
}
export type Faults = { readonly found: { operation: string | null; message: string }[]; unlisted: number }
export type Declarations = {
  readonly declared: readonly Declared[]
  readonly skipped: readonly Operation[]
  readonly faults: Faults
  readonly notes: readonly Note[]
}

const mostFaults = 200
export const noFaults = (): Faults => ({ found: [], unlisted: 0 })
export function addFault(faults: Faults, operation: string | null, message: string): void {
  if (faults.found.length < mostFaults) faults.found.push({ operation, message })
  else faults.unlisted++
}

type Asked = { readonly operations: JsonObject; readonly skipUndeclared: boolean }
/** `formerNames`: the names that the operations would have had, if none had been registered. */
type Document = { readonly operations: readonly Operation[]; readonly formerNames: readonly string[] }

/** Holds what was declared against the document. Nothing is guessed: what nobody declared refuses the import. */
export function readDeclarations({ operations: sent, skipUndeclared }: Asked, document: Document): Declarations {
  const faults = noFaults()
  const notes: Note[] = []
  const byName = nameIndex(document)
  const said = new Map<Operation, JsonObject>()
  for (const [name, declaration] of Object.entries(sent)) {
    const operation = byName.get(name)
    if (operation === undefined)
      addFault(
        faults,
        cut(name, 100),
        'is declared, but the draft has no operation of this name. Its names are operationIds in snake_case, or the method and the path.',
      )
    else if (!isObject(declaration))
      addFault(faults, name, `has a declaration that is ${shown(declaration)}, not an object.`)
    else if (said.has(operation))
      addFault(faults, name, 'is declared twice, under its present name and its former one.')
    // A null there is no answer to whether a customer is required.
    else said.set(operation, present(declaration, 'requires_customer'))
  }
  const declared: Declared[] = []
  const skipped: Operation[] = []
  const undeclared: string[] = []
  for (const operation of document.operations) {
    const declaration = said.get(operation)
    if (declaration === undefined) {
      if (!skipUndeclared && !isMentioned(sent, operation)) undeclared.push(operation.name)
      skipped.push(operation)
    } else if (isSkipped(declaration, operation.name, faults)) skipped.push(operation)
    else declared.push(readDeclaration(operation, declaration, faults, notes))
  }
  if (undeclared.length > 0)
    addFault(
      faults,
      null,
      `${undeclared.length} operation(s) are not declared: ${listed(undeclared)}. Declare each with is_write, skip it, or send skipUndeclared: true.`,
    )
  if (declared.length === 0 && undeclared.length === 0 && faults.found.length === 0)
    addFault(faults, null, 'Everything is skipped, so there would be no tool. Declare at least one operation.')
  return { declared, skipped, faults, notes }
}

/** A broken declaration is reported once, and not as missing besides. */
const isMentioned = (sent: JsonObject, { name }: Operation): boolean => Object.hasOwn(sent, name)

/** Present names count first. A script that was written for the first import still finds what it declared under another name. */
function nameIndex({ operations, formerNames }: Document): ReadonlyMap<string, Operation> {
  const index = new Map<string, Operation>()
  for (const operation of operations) index.set(operation.name, operation)
  for (const [at, operation] of operations.entries()) {
    const former = formerNames[at]
    if (former !== undefined && !index.has(former)) index.set(former, operation)
  }
  return index
}

function isSkipped(declaration: JsonObject, name: string, faults: Faults): boolean {
  const skip = member(declaration, 'skip')
  if (skip === undefined || skip === false) return false
  if (skip !== true) addFault(faults, name, `has a skip that is ${shown(skip)}, not true or false.`)
  else if (member(declaration, 'is_write') !== undefined)
    addFault(faults, name, 'is skipped and declared with is_write. Leave one of the two out.')
  return true
}

const MEMBERS = new Set([
  'is_write',
  'skip',
  'risk',
  'name',
  'description',
  'parameters',
  'domain',
  'requires_customer',
  'title',
  'labels',
  'precondition',
  'verify',
  'outcomes',
  'idempotency',
])
const INPUT_MEMBERS = new Set(['description', 'required', 'omit'])

function readDeclaration(operation: Operation, said: JsonObject, faults: Faults, notes: Note[]): Declared {
  const { name } = operation
  const isWrite = member(said, 'is_write')
  if (isWrite === undefined)
    addFault(faults, name, 'is declared with neither is_write nor skip. Say is_write true or false, or skip it.')
  else if (typeof isWrite !== 'boolean')
    addFault(faults, name, `has an is_write that is ${shown(isWrite)}, not true or false.`)
  for (const text of ['name', 'description', 'domain']) {
    const value = member(said, text)
    if (value !== undefined && typeof value !== 'string')
      addFault(faults, name, `has a ${text} that is ${shown(value)}, not a text.`)
  }
  for (const key of Object.keys(said)) if (!MEMBERS.has(key)) notes.push(unread(name, `"${cut(key, 60)}"`))
  const inputs = declaredInputs(operation, member(said, 'parameters') ?? {}, faults, notes)
  return { operation, isWrite: isWrite === true, said, inputs }
}

const unread = (operation: string, what: string): Note =>
  noteOf('unknown_member', operation, `Its declaration has ${what}, which is not read.`)

function declaredInputs({ name, inputs }: Operation, sent: Json, faults: Faults, notes: Note[]): Input[] {
  if (!isObject(sent)) {
    addFault(faults, name, `has parameters that are ${shown(sent)}, not an object of inputs by name.`)
    return [...inputs]
  }
  const known = new Set(inputs.map(({ argument }) => argument))
  const unknown = Object.keys(sent).filter((input) => !known.has(input))
  if (unknown.length > 0)
    addFault(
      faults,
      name,
      `has no input ${listed(unknown.map((input) => JSON.stringify(cut(input, 60))))}. Its inputs are ${listed([...known], 30) || 'none'}.`,
    )
  return inputs.flatMap((input) => {
    const declaration = member(sent, input.argument) ?? null
    if (declaration === null) return [input]
    if (isObject(declaration)) return declaredInput(name, input, present(declaration), faults, notes)
    addFault(faults, name, `declares its input ${input.argument} with ${shown(declaration)}, not an object.`)
    return [input]
  })
}

function declaredInput(name: string, input: Input, said: JsonObject, faults: Faults, notes: Note[]): Input[] {
  const { argument } = input
  const fault = (message: string): Input[] => {
    addFault(faults, name, message)
    return [input]
  }
  const [description, required, omit] = ['description', 'required', 'omit'].map((key) => member(said, key))
  for (const key of Object.keys(said))
    if (!INPUT_MEMBERS.has(key)) notes.push(unread(name, `"${cut(key, 60)}" at its input ${argument}`))
  if (description !== undefined && typeof description !== 'string')
    return fault(`describes its input ${argument} with ${shown(description)}, not a text.`)
  if (required !== undefined && typeof required !== 'boolean')
    return fault(`declares its input ${argument} required with ${shown(required)}, not true or false.`)
  if (omit !== undefined && typeof omit !== 'boolean')
    return fault(`omits its input ${argument} with ${shown(omit)}, not true or false.`)
  if (input.required && omit === true) return fault(`cannot omit its input ${argument}: the document requires it.`)
  if (input.required && required === false)
    return fault(`cannot make its input ${argument} optional: the document requires it.`)
  if (omit === true && required === true) return fault(`both omits its input ${argument} and requires it.`)
  if (omit === true) return []
  return [
    { ...input, required: input.required || required === true, description: description?.trim() || input.description },
  ]
}
