import type { Json } from '../../../kernel/json/index.ts'
import type { ArgumentPlace, Place } from '../../../tools/catalog/index.ts'
import { latin } from './names.ts'

/** One thing that an operation takes: a parameter, or a member of its body. */
export type Input = {
  /** How the tool calls it. Unique within the operation. */
  readonly argument: string
  readonly place: ArgumentPlace
  readonly required: boolean
  /** The document's own words, or an empty text. */
  readonly description: string
  /** As the document has it, with its references. */
  readonly schema: Json | undefined
  /** Values that the document gives as examples. */
  readonly examples: readonly Json[]
}
/** The same before it has a name that no other input of the operation has. */
export type Unnamed = Omit<Input, 'argument'>

/** What makers' APIs take for the name of an argument. */
const sendable = /^[a-zA-Z0-9_.-]{1,64}$/
const suffixes: Readonly<Record<Place, string>> = {
  path: '_path',
  query: '_query',
  header: '_header',
  cookie: '_cookie',
  body: '_body',
}
const order: readonly Place[] = ['path', 'query', 'header', 'cookie', 'body']

/** Names the inputs: path and query keep theirs, and a member of the body that is called like one of them gives way. */
export function nameInputs(inputs: readonly Unnamed[]): Input[] {
  const taken = new Set<string>()
  const named: Input[] = []
  for (const place of order) {
    for (const input of inputs) {
      if (input.place.in !== place) continue
      const argument = free(argumentName(input.place), suffixes[place], taken)
      taken.add(argument)
      named.push({ argument, ...input, description: input.description || ownName(input.place.name) })
    }
  }
  return named
}

/** Where a script cannot stand in the name of an argument, nothing else would say what is asked for. */
const ownName = (name: string): string => (/[^\p{ASCII}]/u.test(latin(name.slice(0, 300))) ? name.slice(0, 300) : '')

function argumentName({ name, in: place }: ArgumentPlace): string {
  if (sendable.test(name)) return name
  const made = latin(name.slice(0, 300))
    .replace(/[^a-zA-Z0-9_.-]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 64)
  return made === '' ? place : made
}

function free(name: string, suffix: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name
  const base = name.slice(0, 64 - suffix.length - 6) + suffix
  for (let count = 1; ; count++) {
    const next = count === 1 ? base : `${base}_${count}`
    if (!taken.has(next)) return next
  }
}
