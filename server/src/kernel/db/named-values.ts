import { member } from '../json/index.ts'
// PostgreSQL takes values by position, but our statements and their callers use names. Each text is compiled once,
// where it is declared, so that a run only has to put its values in order.

/** The values of one run, with one member for each name in the statement's text. */
export type Named = Readonly<Record<string, unknown>>
/** For a statement without a name in its text. */
export type NoValues = Readonly<Record<string, never>>
export type ValueArguments<Values> = [Values] extends [NoValues] ? [] : [values: Values]

export type Compiled = {
  /** The text with `$1`, `$2`, … in place of names, numbered in the order in which they first appear. */
  readonly text: string
  readonly names: readonly string[]
}

// A dollar begins a value only outside of all these, and not in the middle of an identifier.
const escapeString = String.raw`(?<![\p{L}\p{N}_$])[eE]'(?:[^'\\]|\\.|'')*'`
const literals = `'(?:[^']|'')*'|"(?:[^"]|"")*"`
const comments = String.raw`--[^\n]*|/\*[^]*?\*/`
const dollar = String.raw`(?<![\p{L}\p{N}_$])\$([\p{L}\p{N}_]*\$?)`
const valueToken = new RegExp(`${escapeString}|${literals}|${comments}|${dollar}`, 'gsu')
const valueName = /^[a-z][a-zA-Z0-9]*$/

/**
 * `$tenantId` becomes `$1`. We refuse a dollar that does not begin a name, because PostgreSQL would read it
 * differently.
 */
export function compileSql(text: string): Compiled {
  const names: string[] = []
  const compiled = text.replace(valueToken, (whole: string, what: string | undefined) => {
    if (what === undefined) return whole
    if (!valueName.test(what)) throw new Error(nameFault(what))
    const known = names.indexOf(what)
    return `$${known === -1 ? names.push(what) : known + 1}`
  })
  return { text: compiled, names }
}

function nameFault(what: string): string {
  if (/^\d+$/.test(what))
    return `"$${what}" is a position, but values go by name. Name the value, for example "$tenantId".`
  if (what.endsWith('$')) return `"$${what}" begins a dollar-quoted string. Write the string in single quotes.`
  return `"$${what}" is not the name of a value. Write a name like "$tenantId", or put a literal dollar in single quotes.`
}

/** Puts the values in the order of the text. The caller must pass exactly the names in the text. */
export function orderedValues(
  { name, names }: { readonly name: string; readonly names: readonly string[] },
  values: Named = {},
) {
  const ordered: unknown[] = []
  for (const one of names) {
    const value = member(values, one)
    // The driver would send null, so a forgotten value would empty a column or make a `where` match nothing.
    if (value === undefined)
      throw new Error(`SQL statement "${name}" was run without $${one}. Pass a value, or null if there is none.`)
    ordered.push(value)
  }
  if (Object.keys(values).length !== names.length) throw new Error(unknownValueFault(name, names, values))
  return ordered
}

function unknownValueFault(name: string, names: readonly string[], values: Named): string {
  const unknown = Object.keys(values).filter((one) => !names.includes(one))
  return `SQL statement "${name}" was run with ${unknown.join(', ')}, which its text does not name. Leave it out, or use "$${unknown[0]}" in the text.`
}
