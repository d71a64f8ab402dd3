import pg from 'pg'

const { builtins } = pg.types

type Parse = (text: string) => unknown

// What a column becomes in JavaScript, where it is not the driver's own choice.
const parsers = new Map<number, Parse>([
  // The driver would give text, and every count would be a string. Nothing of ours reaches 2^53.
  [builtins.INT8, safeInteger],
  // A day and a wall-clock time have no zone: a Date would move them into the zone of the machine.
  [builtins.DATE, asText],
  [builtins.TIMESTAMP, asText],
])

export const wireTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    (format === 'binary' ? undefined : parsers.get(oid)) ?? pg.types.getTypeParser(oid, format ?? 'text'),
}

function safeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) {
    throw new RangeError(`The bigint ${text} does not fit a JavaScript number: select it as text ("column::text").`)
  }
  return value
}

function asText(text: string): string {
  return text
}
