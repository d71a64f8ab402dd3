import pg from 'pg'

const { builtins } = pg.types

type Parse = (text: string) => unknown

// Where we overrule how the driver converts a column to JavaScript.
const parsers = new Map<number, Parse>([
  // The driver would return text, so that every count were a string. None of our numbers reaches 2^53.
  [builtins.INT8, safeInteger],
  // A day and a wall-clock time have no zone. A Date would shift them to the machine's zone.
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
    throw new RangeError(
      `The bigint ${text} does not fit into a JavaScript number. Select it as text ("column::text").`,
    )
  }
  return value
}

function asText(text: string): string {
  return text
}
