// Turns what a room logs into plain JSON of bounded size. It never throws. It keeps only the fields of an error that
// are named here, because the others may hold a customer's data (a database error's `detail` and parameters).
import { setMember } from '../json/index.ts'

type Plain = string | number | boolean | null | readonly Plain[] | { readonly [name: string]: Plain }
export type PlainFields = { readonly [name: string]: Plain }

type Mask = (json: string) => string

const LONGEST_TEXT = 8192
const DEEPEST = 6
const MOST_MEMBERS = 100
const MOST_VALUES = 1000
const MOST_CHARACTERS = 65_536
const MOST_CAUSES = 5

// Names that announce a secret. Flags and counts under such a name (`hasToken: true`) may stay.
const SECRET_NAME =
  /(?:authorization|cookie|password|passwd|secret|api[-_]?key|token|credentials?|private[-_]?key|signature)$/i

/** How much one record may still hold, so that no value makes an endless line. */
type LineBudget = { values: number; characters: number; readonly mask: Mask }

/** `mask` must see a long text before we cut it, because it does not recognise half a secret. */
export function plainFields(fields: object, mask: Mask): PlainFields {
  return membersOf(fields, { values: MOST_VALUES, characters: MOST_CHARACTERS, mask }, 0)
}

export function plainText(text: string, mask: Mask): string {
  if (text.length <= LONGEST_TEXT) return text
  return `${masked(text, mask).slice(0, LONGEST_TEXT)}… (${text.length} characters)`
}

/** The mask works on JSON text, where a quotation mark inside a password is escaped and does not end it. */
function masked(text: string, mask: Mask): string {
  try {
    return String(JSON.parse(mask(JSON.stringify(text))))
  } catch {
    return '(hidden)'
  }
}

/** A proxy or a getter may throw at any step; a log line must not. */
function plain(value: unknown, budget: LineBudget, depth: number): Plain | undefined {
  budget.values -= 1
  if (budget.values < 0 || budget.characters < 0) return '…'
  try {
    return typeof value === 'object' && value !== null ? plainObject(value, budget, depth) : plainScalar(value, budget)
  } catch {
    return '(unreadable)'
  }
}

function plainScalar(value: unknown, budget: LineBudget): Plain | undefined {
  switch (typeof value) {
    case 'string':
      budget.characters -= Math.min(value.length, LONGEST_TEXT)
      return plainText(value, budget.mask)
    case 'boolean':
      return value
    case 'number':
      return Number.isFinite(value) ? value : String(value)
    case 'bigint':
      return String(value)
    case 'undefined':
      return undefined
    default:
      return value === null ? null : `(${typeof value})`
  }
}

function plainObject(value: object, budget: LineBudget, depth: number): Plain {
  if (value instanceof Error) return plainError(value, budget, MOST_CAUSES)
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '(invalid date)' : value.toISOString()
  if (value instanceof URL) return plainText(value.href, budget.mask)
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `(${value.byteLength} bytes)`
  if (depth >= DEEPEST) return '…'
  if (Array.isArray(value)) return itemsOf(value, budget, depth)
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype === Object.prototype || prototype === null) return membersOf(value, budget, depth)
  return `(${value.constructor.name})`
}

function itemsOf(items: readonly unknown[], budget: LineBudget, depth: number): readonly Plain[] {
  const kept = items.slice(0, MOST_MEMBERS).map((item) => plain(item, budget, depth + 1) ?? null)
  return items.length > MOST_MEMBERS ? [...kept, `… (${items.length} items)`] : kept
}

function membersOf(value: object, budget: LineBudget, depth: number): PlainFields {
  const kept: { [name: string]: Plain } = {}
  for (const name of Object.keys(value).slice(0, MOST_MEMBERS)) {
    const member = memberOf(value, name, budget, depth)
    if (member !== undefined) setMember(kept, plainText(name, budget.mask), member)
  }
  return kept
}

function memberOf(value: object, name: string, budget: LineBudget, depth: number): Plain | undefined {
  try {
    const member: unknown = Reflect.get(value, name)
    const isSecret =
      (typeof member === 'string' || typeof member === 'object') && member !== null && SECRET_NAME.test(name)
    return isSecret && !(member instanceof Error) ? '(hidden)' : plain(member, budget, depth + 1)
  } catch {
    return '(unreadable)'
  }
}

function plainError(error: Error, budget: LineBudget, causes: number): Plain {
  const { code, cause, errors } = error as Error & { code?: unknown; errors?: unknown }
  const fields: { [name: string]: Plain | undefined } = {
    type: typeName(error),
    message: plainScalar(String(error.message), budget),
    code: typeof code === 'string' || typeof code === 'number' ? plainScalar(code, budget) : undefined,
    stack: typeof error.stack === 'string' ? plainScalar(error.stack, budget) : undefined,
    cause: cause === undefined ? undefined : plainCause(cause, budget, causes - 1),
    errors: Array.isArray(errors)
      ? errors.slice(0, MOST_CAUSES).map((one) => plainCause(one, budget, causes - 1))
      : undefined,
  }
  return Object.fromEntries(Object.entries(fields).filter((field): field is [string, Plain] => field[1] !== undefined))
}

function plainCause(cause: unknown, budget: LineBudget, left: number): Plain {
  budget.values -= 1
  if (left <= 0 || budget.values < 0) return '…'
  if (cause instanceof Error) return plainError(cause, budget, left)
  return typeof cause === 'object' && cause !== null ? '(object)' : (plainScalar(cause, budget) ?? '(undefined)')
}

/** The database driver names its errors `error`, and others keep `Error`. The class then says more than the name. */
function typeName(error: Error): string {
  const { name } = error
  return typeof name === 'string' && name.toLowerCase() !== 'error' && name !== '' ? name : error.constructor.name
}
