// For a setting that is a table. Its entries may come from several sources, and the strongest source wins each entry.
import type { DeclaredSetting } from './schema.ts'
import { foldName, isObject, type SettingEntry, type SettingSource } from './sources.ts'

type Cell = { readonly row: string; readonly column: string; readonly entry: SettingEntry }

/** `AI:Prices:gpt:InputPerMillion` belongs to `AI:Prices`. */
export const isCellOf = (table: string, name: string): boolean => foldName(name).startsWith(`${foldName(table)}:`)

/** Returns all rows as one entry or, if some do not fit, only those, so that the fault names them. */
export function findRows(
  sources: readonly SettingSource[],
  { name, setting }: DeclaredSetting,
): SettingEntry | undefined {
  const whole = sources.flatMap((source) => source.get(foldName(name)) ?? []).find(({ raw }) => !isObject(raw))
  if (whole !== undefined) return whole
  const cells = new Map<string, Cell>()
  for (const cell of sources.flatMap((source) => tableCellsIn(source, name))) {
    const key = JSON.stringify([foldName(cell.row), foldName(cell.column)])
    if (!cells.has(key)) cells.set(key, cell)
  }
  const rows = [...Map.groupBy(cells.values(), ({ row }) => foldName(row)).values()]
  const wrong = rows.filter((row) => !setting.shape.type.safeParse(rowsToTable([row])).success)
  const shown = wrong.length > 0 ? wrong : rows
  if (shown.length === 0) return undefined
  const [first] = shown.flat()
  const from = [...new Set(shown.flat().map(({ entry }) => entry.from))].join(' and ')
  return { name, raw: rowsToTable(shown), from, kind: first?.entry.kind ?? 'file' }
}

const rowsToTable = (rows: readonly (readonly Cell[])[]): object =>
  Object.fromEntries(
    rows.map((row) => [row[0]?.row, Object.fromEntries(row.map(({ column, entry }) => [column, entry.raw]))]),
  )

function tableCellsIn(source: SettingSource, table: string): Cell[] {
  return [...source.values()].flatMap((entry) => {
    if (foldName(entry.name) === foldName(table)) return cellsOf(entry)
    if (!isCellOf(table, entry.name)) return []
    // A row's name may contain colons (`llama3:8b`), so the last one counts.
    const path = entry.name.slice(table.length + 1)
    const at = path.lastIndexOf(':')
    return [{ row: path.slice(0, Math.max(0, at)), column: path.slice(at + 1), entry }]
  })
}

/** A file gives the table, or a part of it, as nested objects. */
const cellsOf = (entry: SettingEntry): Cell[] =>
  Object.entries(isObject(entry.raw) ? entry.raw : {}).flatMap(([row, columns]) =>
    Object.entries(isObject(columns) ? columns : { [String(columns)]: columns }).map(([column, raw]) => ({
      row,
      column,
      entry: { ...entry, raw },
    })),
  )
