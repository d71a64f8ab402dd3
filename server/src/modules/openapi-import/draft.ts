import { cut, inTurns, type Json, turnOf, type Work } from '../../kernel/json/index.ts'
import type { Input } from './document/inputs.ts'
import { openDocument } from './document/open-document.ts'
import type { Operation } from './document/operations.ts'
import { readOperations } from './document/operations.ts'
import type { Reading } from './document/reading.ts'
import type { InputType } from './input-type.ts'
import { openInputType } from './input-type.ts'
import { longestDescription, longestInputDescription } from './limits.ts'

export type DraftInput = {
  readonly name: string
  readonly in: Input['place']['in']
  readonly required: boolean
  readonly type?: string | string[]
  readonly description?: string
}
export type DraftOperation = {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly description: string
  readonly parameters: DraftInput[]
  readonly suggested_is_write: boolean
  readonly deprecated?: true
}

const READS = new Set(['GET', 'HEAD', 'OPTIONS'])
/** A guess from the method alone, for whoever declares it: a POST may be a search. */
export const looksLikeWrite = ({ method }: Pick<Operation, 'method'>): boolean => !READS.has(method)

/** Inputs that are drafted before other requests get a turn. */
const perTurn = 1_000

export function* draftOperations(
  reading: Reading,
  operations: readonly Operation[],
  typeOf: InputType,
): Work<DraftOperation[]> {
  const drafted: DraftOperation[] = []
  const isTurnOver = turnOf(perTurn)
  for (const operation of operations) {
    drafted.push(draftOf(reading, operation, typeOf))
    if (isTurnOver(1 + operation.inputs.length)) yield
  }
  return drafted
}

/** Counts what it makes, because a page of text may stand in thousands of operations. */
function draftOf(reading: Reading, operation: Operation, typeOf: InputType): DraftOperation {
  const { name, method, path, inputs } = operation
  const description = cut(operation.description, longestDescription)
  reading.say(description.length + path.length + 150)
  return {
    name,
    method,
    path,
    description,
    parameters: inputs.map((input) => draftInput(reading, input, typeOf)),
    suggested_is_write: looksLikeWrite(operation),
    ...(operation.deprecated ? { deprecated: true } : {}),
  }
}

function draftInput(reading: Reading, input: Input, typeOf: InputType): DraftInput {
  const { argument, place, required } = input
  const type = typeOf(input)
  const description = cut(input.description, longestInputDescription)
  reading.say(description.length + argument.length + 60)
  return {
    name: argument,
    in: place.in,
    required,
    ...(type === undefined ? {} : { type }),
    ...(description === '' ? {} : { description }),
  }
}

/** The operations of a document as its first draft has them, for whoever measures it. */
export async function draftOfDocument(document: Json): Promise<DraftOperation[]> {
  const reading = await openDocument(document)
  const { operations } = await inTurns(readOperations(reading, new Map()))
  return inTurns(draftOperations(reading, operations, openInputType(reading)))
}
