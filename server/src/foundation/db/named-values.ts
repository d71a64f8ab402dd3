// PostgreSQL takes values by their places; a statement and its callers call them by name. A text is compiled once, where it is
// declared, and from then on a run only lays its values out.

/** What a statement is run with: one member for each name in its text. */
export type Named = Readonly<Record<string, unknown>>
/** A statement without a name in its text is run without values. */
export type NoValues = Readonly<Record<string, never>>
export type Given<Values> = [Values] extends [NoValues] ? [] : [values: Values]

export type Compiled = {
  /** With `$1`, `$2`, … for the names, in the order in which they first appear. */
  readonly text: string
  readonly names: readonly string[]
}

// A dollar is the beginning of a value only outside of all these, and where no identifier is under way.
const escapeString = String.raw`(?<![\p{L}\p{N}_$])[eE]'(?:[^'\\]|\\.|'')*'`
const literals = `'(?:[^']|'')*'|"(?:[^"]|"")*"`
const comments = String.raw`--[^\n]*|/\*[^]*?\*/`
const dollar = String.raw`(?<![\p{L}\p{N}_$])\$([\p{L}\p{N}_]*\$?)`
const token = new RegExp(`${escapeString}|${literals}|${comments}|${dollar}`, 'gsu')
const name = /^[a-z][a-zA-Z0-9]*$/

/** `$tenantId` becomes `$1`. What is no name is refused: it would reach the database as something that nobody meant. */
export function compile(text: string): Compiled {
  const names: string[] = []
  const compiled = text.replace(token, (whole: string, what: string | undefined) => {
    if (what === undefined) return whole
    if (!name.test(what)) throw new Error(refusalOf(what))
    const known = names.indexOf(what)
    return `$${known === -1 ? names.push(what) : known + 1}`
  })
  return { text: compiled, names }
}

function refusalOf(what: string): string {
  if (/^\d+$/.test(what)) return `"$${what}" is a place, and values go by name. Write what it is, such as "$tenantId".`
  if (what.endsWith('$')) return `"$${what}" begins a string. Write it in single quotes.`
  return `"$${what}" is no name of a value. Write it like "$tenantId", and a dollar of the text itself in single quotes.`
}

const none: NoValues = {}

/** The values in the order of the text. Each name must be handed in, and nothing else. */
export function laidOut(
  { name, names }: { readonly name: string; readonly names: readonly string[] },
  values: Named = none,
) {
  const laid: unknown[] = []
  for (const one of names) {
    const value = values[one]
    // The driver would send it as null, and a forgotten value would be an empty column or a `where` that finds nothing.
    if (value === undefined)
      throw new Error(
        `SQL statement "${name}" was run without $${one}. Hand it in; where nothing is meant, that is null.`,
      )
    laid.push(value)
  }
  if (Object.keys(values).length !== names.length) throw new Error(unknownOf(name, names, values))
  return laid
}

function unknownOf(name: string, names: readonly string[], values: Named): string {
  const unknown = Object.keys(values).filter((one) => !names.includes(one))
  return `SQL statement "${name}" was run with ${unknown.join(', ')}, which its text does not name. Leave it out, or write "$${unknown[0]}" where it belongs.`
}
