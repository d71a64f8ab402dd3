// A setting that is a table: its rows may come from several sources, each entry by itself, and the stronger source wins an entry.
import type { Declared } from './schema.ts'
import { type Entry, fold, type Source } from './sources.ts'

type Cell = { readonly row: string; readonly column: string; readonly entry: Entry }

/** `AI:Prices:gpt:InputPerMillion` belongs to `AI:Prices`. */
export const isCellOf = (table: string, name: string): boolean => fold(name).startsWith(`${fold(table)}:`)

/** All rows as one entry; when some do not fit, only those, so that the fault names them. */
export function findRows(sources: readonly Source[], { name, setting }: Declared): Entry | undefined {
  const whole = sources.flatMap((source) => source.get(fold(name)) ?? []).find(({ raw }) => !isObject(raw))
  if (whole !== undefined) return whole
  const cells = new Map<string, Cell>()
  for (const cell of sources.flatMap((source) => cellsIn(source, name))) {
    const key = JSON.stringify([fold(cell.row), fold(cell.column)])
    if (!cells.has(key)) cells.set(key, cell)
  }
  const rows = [...Map.groupBy(cells.values(), ({ row }) => fold(row)).values()]
  const wrong = rows.filter((row) => !setting.shape.type.safeParse(tableOf([row])).success)
  const shown = wrong.length > 0 ? wrong : rows
  if (shown.length === 0) return undefined
  const [first] = shown.flat()
  const from = [...new Set(shown.flat().map(({ entry }) => entry.from))].join(' and ')
  return { name, raw: tableOf(shown), from, kind: first?.entry.kind ?? 'file' }
}

const tableOf = (rows: readonly (readonly Cell[])[]): object =>
  Object.fromEntries(
    rows.map((row) => [row[0]?.row, Object.fromEntries(row.map(({ column, entry }) => [column, entry.raw]))]),
  )

function cellsIn(source: Source, table: string): Cell[] {
  return [...source.values()].flatMap((entry) => {
    if (fold(entry.name) === fold(table)) return cellsOf(entry)
    if (!isCellOf(table, entry.name)) return []
    // The name of a row may hold colons itself (`llama3:8b`), so the last one counts.
    const path = entry.name.slice(table.length + 1)
    const at = path.lastIndexOf(':')
    return [{ row: path.slice(0, Math.max(0, at)), column: path.slice(at + 1), entry }]
  })
}

/** A file gives the whole table, or a part of it, as nested objects. */
const cellsOf = (entry: Entry): Cell[] =>
  Object.entries(isObject(entry.raw) ? entry.raw : {}).flatMap(([row, columns]) =>
    Object.entries(isObject(columns) ? columns : { [String(columns)]: columns }).map(([column, raw]) => ({
      row,
      column,
      entry: { ...entry, raw },
    })),
  )

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
