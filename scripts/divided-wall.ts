// Holds every statement to what Citus runs: it works a statement out once, on the node that was asked, and refuses what could come to
// something else on the node that has the row. Whatever divides tables by tenant in some such way is served alike (docs/scale.md).
import { commandsOf, findAll, listAt, type Node, nodeAt, textAt } from './sql-tree.ts'

/** Each run may come to something else. */
const VOLATILE = ['clock_timestamp', 'gen_random_uuid', 'nextval', 'random', 'timeofday']
/** The same while one statement runs. */
const STABLE = ['now', 'statement_timestamp', 'transaction_timestamp', 'convert_to', 'concat', 'concat_ws', 'to_char']
/** Those of them that may take a column of the row. */
const OF_A_ROW = [...STABLE, 'date_trunc']

/** Recursion reads whatever it meets next, so nobody knows beforehand where. */
const RECURSIVE: Readonly<Record<string, string>> = {
  'events.walk_tenants': 'it is asked only where the tables are whole: elsewhere events.list_tenants is',
}

type Declared = { readonly name: string; readonly text: string }

export function dividedFaults({ name, text }: Declared): string[] {
  const command = commandsOf(text)
  const found = [
    ...findAll(command, 'onConflictClause').flatMap(conflictFaults),
    ...findAll(command, 'UpdateStmt').flatMap(updateFaults),
    ...findAll(command, 'InsertStmt').flatMap(insertFaults),
    ...findAll(command, 'SelectStmt').flatMap((select) => lockFaults(select, cteNames(command))),
    ...findAll(command, 'withClause').flatMap((ctes) => (ctes.recursive === true ? [RECURSION] : [])),
  ]
  const faults = name in RECURSIVE ? found.filter((fault) => fault !== RECURSION) : found
  const needless = name in RECURSIVE && faults.length === found.length ? [NEEDLESS] : []
  return [...new Set([...faults, ...needless])].map((fault) => `SQL "${name}": ${fault}`)
}

const RECURSION = 'a recursive query goes to every node: look for the tenants first, then ask for each of them.'
const NEEDLESS = 'it recurs no longer: take it out of scripts/divided-wall.ts.'

/** The functions of this list that are called anywhere below. */
function calledIn(value: unknown, names: readonly string[]): string[] {
  const clock = findAll(value, 'SQLValueFunction').length > 0 && names.includes('now') ? ['now'] : []
  const called = findAll(value, 'FuncCall').map((call) =>
    textAt(nodeAt(listAt(call, 'funcname').at(-1), 'String'), 'sval'),
  )
  return [...clock, ...called.filter((name) => names.includes(name))]
}

/** A time of a row plus or minus an interval depends on the time zone of the session. Constants are computed before a row is read. */
const isShift = (expression: Node): boolean => {
  const operator = textAt(nodeAt(listAt(expression, 'name')[0], 'String'), 'sval')
  const sides = [expression.lexpr, expression.rexpr]
  return (
    /^[+-]$/.test(operator) && sides.some(isInterval) && sides.some((side) => findAll(side, 'ColumnRef').length > 0)
  )
}

const isInterval = (side: unknown): boolean =>
  calledIn(side, ['make_interval']).length > 0 ||
  findAll(side, 'TypeCast').some((cast) => {
    const names = listAt(nodeAt(cast, 'typeName'), 'names')
    return textAt(nodeAt(names.at(-1), 'String'), 'sval') === 'interval'
  })

const shiftFaults = (written: unknown): string[] => (findAll(written, 'A_Expr').some(isShift) ? [SHIFT] : [])
const SHIFT = 'a time of the row plus or minus an interval: take the difference of two times, and compare that.'

const conflictFaults = ({ targetList, whereClause }: Node): string[] => [
  ...calledIn([targetList, whereClause], [...VOLATILE, ...OF_A_ROW]).map(
    (name) => `${name}() in "on conflict do update": put it into the row that is inserted, and say excluded.`,
  ),
  ...shiftFaults([targetList, whereClause]),
]

function updateFaults({ targetList, whereClause }: Node): string[] {
  const written = [targetList, whereClause]
  const choices = [...findAll(written, 'CaseExpr'), ...findAll(written, 'CoalesceExpr')]
  const ofRow = findAll(written, 'FuncCall').filter((call) => findAll(call, 'ColumnRef').length > 0)
  return [
    ...shiftFaults(written),
    ...calledIn(written, VOLATILE).map((name) => `${name}() in an update: take it from a query in its "from".`),
    ...calledIn(choices, STABLE).map(
      (name) => `${name}() in a case or coalesce of an update: take it from a query in its "from".`,
    ),
    ...ofRow
      .flatMap((call) => calledIn([{ FuncCall: { funcname: call.funcname } }], OF_A_ROW))
      .map(
        (name) => `${name}() of a column in an update: work it out in a common table expression that locks the row.`,
      ),
  ]
}

/** A query that is inserted is worked out first, and what is left is run without the values of the statement. */
function insertFaults(insert: Node): string[] {
  const select = nodeAt(insert, 'selectStmt', 'SelectStmt')
  if (select === undefined || listAt(select, 'valuesLists').length > 0) return []
  const rest = [insert.onConflictClause, insert.returningList, insert.returningClause]
  return [
    ...(listAt(select, 'lockingClause').length === 0 ? [] : [LOCKING_INSERT]),
    ...(findAll(rest, 'ParamRef').length === 0 ? [] : [VALUE_BESIDE]),
    ...(findAll(rest, 'SubLink').length === 0 ? [] : [QUERY_BESIDE]),
  ]
}
const LOCKING_INSERT = 'an insert that locks what it reads: lock it in a common table expression, and insert from that.'
const VALUE_BESIDE =
  'a value beside a query that is inserted, in its "on conflict" or "returning": put it into the row, and say excluded.'
const QUERY_BESIDE = 'a query in the "returning" or "on conflict" of an insert: put it into a common table expression.'

const cteNames = (command: unknown): ReadonlySet<string> =>
  new Set(findAll(command, 'CommonTableExpr').map((cte) => textAt(cte, 'ctename')))

/**
 * Where anything but tables stands beside rows that are locked, Citus writes what it found in one format and reads it in another
 * (`read_intermediate_result`, 13.2.2): "invalid input syntax for type integer: "PGCOPY"".
 */
function lockFaults(select: Node, ctes: ReadonlySet<string>): string[] {
  if (listAt(select, 'lockingClause').length === 0) return []
  const from = listAt(select, 'fromClause')
  const tables = findAll(from, 'RangeVar').filter((one) => !ctes.has(textAt(one, 'relname')))
  const others = [
    ...findAll(from, 'RangeVar').filter((one) => ctes.has(textAt(one, 'relname'))),
    ...findAll(from, 'RangeFunction'),
    ...findAll(from, 'RangeSubselect'),
    ...findAll(select.whereClause, 'SubLink').filter(isJoined),
  ]
  return tables.length > 0 && others.length > 0 ? [LOCK_BESIDE] : []
}
/** PostgreSQL makes a join of these. */
const isJoined = ({ subLinkType }: Node): boolean => subLinkType === 'EXISTS_SUBLINK' || subLinkType === 'ANY_SUBLINK'
const LOCK_BESIDE =
  'a lock beside what is no table: lock the rows of the table by themselves, and join what was locked.'
