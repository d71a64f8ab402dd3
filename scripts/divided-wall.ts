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
  'events.claim': 'its walk finds the tenants that have something to send, a few at a time',
}

type Declared = { readonly name: string; readonly text: string; readonly names: readonly string[] }

export function dividedFaults({ name, text, names }: Declared): string[] {
  const command = commandsOf(text)
  const found = [
    ...findAll(command, 'onConflictClause').flatMap(conflictFaults),
    ...findAll(command, 'UpdateStmt').flatMap(updateFaults),
    // What writes for many at once locks many at once: `walls.ts` says why it may.
    ...(names.includes('tenantId') ? findAll(command, 'InsertStmt').flatMap(insertFaults) : []),
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

const conflictFaults = ({ targetList, whereClause }: Node): string[] =>
  calledIn([targetList, whereClause], [...VOLATILE, ...OF_A_ROW]).map(
    (name) => `${name}() in "on conflict do update": put it into the row that is inserted, and say excluded.`,
  )

function updateFaults({ targetList, whereClause }: Node): string[] {
  const written = [targetList, whereClause]
  const choices = [...findAll(written, 'CaseExpr'), ...findAll(written, 'CoalesceExpr')]
  const ofRow = findAll(written, 'FuncCall').filter((call) => findAll(call, 'ColumnRef').length > 0)
  return [
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

function insertFaults(insert: Node): string[] {
  return listAt(nodeAt(insert, 'selectStmt', 'SelectStmt'), 'lockingClause').length === 0
    ? []
    : ['an insert that locks what it reads: lock it in a common table expression, and insert from that.']
}
