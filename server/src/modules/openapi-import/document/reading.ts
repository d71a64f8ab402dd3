import { cut, isObject, type Json, type JsonObject, member } from '../../../kernel/json/index.ts'
import { mostDraftCharacters, mostHops, mostSteps } from '../limits.ts'

/** Refuses the document. The message says what to do, and goes to whoever sent it. */
export class DocumentRefused extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'DocumentRefused'
  }
}

export type Dialect = '2.0' | '3.0' | '3.1'

/** A document while it is being read, with what reading it has cost. */
export type Reading = {
  readonly dialect: Dialect
  readonly root: JsonObject
  /** Counts the work. Throws DocumentRefused when the document takes more than it may. */
  step(count: number): void
  /** Counts what the answer will hold. */
  say(characters: number): void
  /** Follows references inside of the document. Undefined where one leads outside, in a circle, or to nothing. */
  follow(value: Json | undefined): JsonObject | undefined
  /** References that lead outside of the document, or nowhere: what they stand for is not known. */
  readonly lost: ReadonlySet<string>
  /** What the text of a reference names, without following further ones. */
  target(reference: string): Json | undefined
}

export function openReading(root: JsonObject, dialect: Dialect): Reading {
  let steps = mostSteps
  let characters = mostDraftCharacters
  const targets = new Map<string, Json | undefined>()
  const lost = new Set<string>()

  const step = (count: number) => {
    steps -= count
    if (steps < 0) throw new DocumentRefused(tooMuchWork)
  }
  const target = (reference: string): Json | undefined => {
    step(1)
    const known = targets.get(reference)
    if (known !== undefined || targets.has(reference)) return known
    const found = lookUp(root, reference, step)
    targets.set(reference, found)
    if (found === undefined) lost.add(reference)
    return found
  }
  return {
    dialect,
    root,
    lost,
    step,
    target,
    say(count) {
      characters -= count
      if (characters < 0) throw new DocumentRefused(tooMuchText)
    },
    follow(value) {
      let found: Json | undefined = value
      for (let hops = 0; hops <= mostHops; hops++) {
        if (!isObject(found)) return undefined
        const reference = referenceOf(found)
        if (reference === undefined) return found
        found = target(reference)
      }
      return undefined
    },
  }
}

const smaller = 'Cut it down to the paths that an assistant needs, and import those.'
const tooMuchWork = `The document takes more than ${mostSteps} steps to read: its parameters, members and references add up to more than any real API has. ${smaller}`
const tooMuchText = `The draft of this document would be longer than ${mostDraftCharacters / 1024 / 1024} MiB. ${smaller}`

export function referenceOf(value: JsonObject): string | undefined {
  const reference = member(value, '$ref')
  return typeof reference === 'string' ? reference : undefined
}

/** Looks a JSON pointer up, by own members alone. Only `#` and `#/…` lead anywhere: nothing is ever fetched or opened. */
function lookUp(root: JsonObject, reference: string, step: (count: number) => void): Json | undefined {
  if (reference === '#') return root
  if (!reference.startsWith('#/') || reference.length > 2_000) return undefined
  let found: Json | undefined = root
  for (const raw of reference.slice(2).split('/')) {
    step(1)
    const name = pointerStep(raw)
    if (name === undefined) return undefined
    if (Array.isArray(found)) found = /^\d{1,9}$/.test(name) ? found[Number(name)] : undefined
    else if (isObject(found)) found = member(found, name)
    else return undefined
  }
  return found
}

function pointerStep(raw: string): string | undefined {
  try {
    return decodeURIComponent(raw).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return undefined
  }
}

export const textOf = (object: JsonObject, name: string): string => {
  const value = member(object, name)
  return typeof value === 'string' ? value.trim() : ''
}

export const isTrue = (object: JsonObject, name: string): boolean => member(object, name) === true

/** A document that was made by hand may say it as text. */
export const isRequired = (object: JsonObject): boolean =>
  isTrue(object, 'required') || textOf(object, 'required').toLowerCase() === 'true'

export const listOf = (object: JsonObject, name: string): Json[] => {
  const value = member(object, name)
  return Array.isArray(value) ? value : []
}

export const objectOf = (object: JsonObject, name: string): JsonObject => {
  const value = member(object, name)
  return isObject(value) ? value : {}
}

/** A name out of the document, as a message shows it. */
export const named = (text: string): string => JSON.stringify(cut(text, 80))
