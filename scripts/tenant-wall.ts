// The tenant wall: reads SQL with PostgreSQL's own parser and proves that every mention of a tenant's table is bound to
// one tenant, by a parameter or by something that is itself so bound.
import { loadModule, parseSync } from 'libpg-query'

await loadModule()

type Node = { readonly [member: string]: unknown }

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)
const nodeAt = (node: Node | undefined, ...path: string[]): Node | undefined => {
  let found: unknown = node
  for (const step of path) found = isNode(found) ? found[step] : undefined
  return isNode(found) ? found : undefined
}
const listAt = (node: Node | undefined, member: string): Node[] => {
  const list = node?.[member]
  return Array.isArray(list) ? list.filter(isNode) : []
}
const textAt = (node: Node | undefined, member: string): string => String(node?.[member] ?? '')

/** The tables with a `tenant_id` column, read from the migrations themselves. */
export function tenantTablesOf(migrations: readonly string[]): Set<string> {
  const tables = new Set<string>()
  for (const { stmt } of migrations.flatMap((text) => statementsOf(text))) {
    const create = nodeAt(stmt, 'CreateStmt')
    const columns = listAt(create, 'tableElts').map((element) => textAt(nodeAt(element, 'ColumnDef'), 'colname'))
    if (columns.includes('tenant_id')) tables.add(textAt(nodeAt(create, 'relation'), 'relname'))
  }
  return tables
}

const statementsOf = (text: string): { stmt: Node }[] => (parseSync(text).stmts ?? []) as { stmt: Node }[]

type Scope = {
  readonly tables: ReadonlySet<string>
  readonly ctes: ReadonlySet<string>
  readonly bound: ReadonlySet<string>
}

/** What is wrong with one SQL text: nothing, when each tenant's table in it is bound. */
export function wallFaults(text: string, tables: ReadonlySet<string>): string[] {
  const scope: Scope = { tables, ctes: new Set(), bound: new Set() }
  return statementsOf(text).flatMap(({ stmt }) => faultsOf(stmt, scope))
}

const LEVELS = ['SelectStmt', 'UpdateStmt', 'DeleteStmt', 'InsertStmt'] as const

function faultsOf(node: Node, scope: Scope): string[] {
  for (const kind of LEVELS) {
    const level = nodeAt(node, kind)
    if (level !== undefined) return levelFaults(kind, level, scope)
  }
  // Not a query: look for queries inside it, one level further down.
  return Object.values(node).flatMap((value) => insideFaults(value, scope))
}

const insideFaults = (value: unknown, scope: Scope): string[] => {
  if (Array.isArray(value)) return value.flatMap((one) => insideFaults(one, scope))
  return isNode(value) ? faultsOf(value, scope) : []
}

function levelFaults(kind: (typeof LEVELS)[number], level: Node, outer: Scope): string[] {
  const { faults: cteFaults, scope } = withCtes(level, outer)
  const larg = nodeAt(level, 'larg')
  const rarg = nodeAt(level, 'rarg')
  if (larg !== undefined && rarg !== undefined) {
    return [...cteFaults, ...levelFaults('SelectStmt', larg, scope), ...levelFaults('SelectStmt', rarg, scope)]
  }
  const items = itemsOf(kind, level)
  const bound = boundAliases(items, level, scope)
  const own = items.filter(({ table, alias }) => scope.tables.has(table) && !scope.ctes.has(table) && !bound.has(alias))
  const faults =
    kind === 'InsertStmt' ? insertFaults(level, scope) : own.map(({ table, alias }) => unbound(table, alias))
  // CTEs were looked at with their own scope; everything else of the level sees what is bound here.
  const { withClause: _looked, ...rest } = level
  const inner: Scope = { ...scope, bound: new Set([...scope.bound, ...bound]) }
  return [...cteFaults, ...faults, ...insideFaults(Object.values(rest), inner)]
}

const unbound = (table: string, alias: string): string =>
  `${table}${alias === table ? '' : ` (as ${alias})`} is not bound to one tenant: add "${alias}.tenant_id = $n".`

function withCtes(level: Node, scope: Scope): { faults: string[]; scope: Scope } {
  const ctes = new Set(scope.ctes)
  const faults: string[] = []
  for (const entry of listAt(nodeAt(level, 'withClause'), 'ctes')) {
    const cte = nodeAt(entry, 'CommonTableExpr')
    const query = nodeAt(cte, 'ctequery')
    if (query !== undefined) faults.push(...faultsOf(query, { ...scope, ctes: new Set(ctes) }))
    ctes.add(textAt(cte, 'ctename'))
  }
  return { faults, scope: { ...scope, ctes } }
}

type Item = { readonly table: string; readonly alias: string }

const itemOf = (range: Node): Item => {
  const table = textAt(range, 'relname')
  return { table, alias: textAt(nodeAt(range, 'alias'), 'aliasname') || table }
}

function itemsOf(kind: string, level: Node): Item[] {
  const target = kind === 'SelectStmt' || kind === 'InsertStmt' ? [] : [itemOf(nodeAt(level, 'relation') ?? {})]
  return [...target, ...[...listAt(level, 'fromClause'), ...listAt(level, 'usingClause')].flatMap(fromItems)]
}

/** A query in the `from`: it is a level of its own, so the tenant that comes out of it is bound, or a fault already. */
const SUBQUERY = '(a query)'

function fromItems(node: Node): Item[] {
  const range = nodeAt(node, 'RangeVar')
  if (range !== undefined) return [itemOf(range)]
  const inner = nodeAt(node, 'RangeSubselect')
  if (inner !== undefined) return [{ table: SUBQUERY, alias: textAt(nodeAt(inner, 'alias'), 'aliasname') }]
  const join = nodeAt(node, 'JoinExpr')
  if (join === undefined) return []
  return [nodeAt(join, 'larg'), nodeAt(join, 'rarg')].flatMap((side) => (side === undefined ? [] : fromItems(side)))
}

type Equality = readonly [left: string, right: string]
const PARAMETER = '$'

/** The aliases whose tenant is a parameter, or equal to one that is. */
function boundAliases(items: readonly Item[], level: Node, scope: Scope): Set<string> {
  const equalities = [...conjuncts(nodeAt(level, 'whereClause')), ...joinConditions(level)].flatMap((condition) =>
    equalityOf(condition, items, scope),
  )
  const bound = new Set([
    PARAMETER,
    ...scope.bound,
    ...items.filter(({ table }) => table === SUBQUERY || scope.ctes.has(table)).map(({ alias }) => alias),
  ])
  for (let size = -1; size !== bound.size; ) {
    size = bound.size
    for (const [left, right] of equalities) {
      if (bound.has(left)) bound.add(right)
      else if (bound.has(right)) bound.add(left)
    }
  }
  return bound
}

const joinConditions = (level: Node): Node[] =>
  [...listAt(level, 'fromClause'), ...listAt(level, 'usingClause')].flatMap(function conditions(node: Node): Node[] {
    const join = nodeAt(node, 'JoinExpr')
    if (join === undefined) return []
    const sides = [nodeAt(join, 'larg'), nodeAt(join, 'rarg')].flatMap((side) => (side ? conditions(side) : []))
    return [...conjuncts(nodeAt(join, 'quals')), ...sides]
  })

/** Only conditions that must all hold can bind: one inside an `or` or a `not` binds nothing. */
function conjuncts(node: Node | undefined): Node[] {
  if (node === undefined) return []
  const all = nodeAt(node, 'BoolExpr')
  return all?.boolop === 'AND_EXPR' ? listAt(all, 'args').flatMap((one) => conjuncts(one)) : [node]
}

function equalityOf(node: Node, items: readonly Item[], scope: Scope): Equality[] {
  const expression = nodeAt(node, 'A_Expr')
  const [name] = listAt(expression, 'name')
  if (expression?.kind !== 'AEXPR_OP' || textAt(nodeAt(name, 'String'), 'sval') !== '=') return []
  const left = sideOf(nodeAt(expression, 'lexpr'), items, scope)
  const right = sideOf(nodeAt(expression, 'rexpr'), items, scope)
  return left === undefined || right === undefined ? [] : [[left, right]]
}

/** A parameter, or the alias whose tenant_id this is. */
function sideOf(node: Node | undefined, items: readonly Item[], scope: Scope): string | undefined {
  const cast = nodeAt(node, 'TypeCast', 'arg')
  if (cast !== undefined) return sideOf(cast, items, scope)
  if (nodeAt(node, 'ParamRef') !== undefined) return PARAMETER
  const fields = listAt(nodeAt(node, 'ColumnRef'), 'fields').map((field) => textAt(nodeAt(field, 'String'), 'sval'))
  if (fields.at(-1) !== 'tenant_id') return undefined
  if (fields.length > 1) return fields[0]
  const carriers = items.filter(({ table }) => table === SUBQUERY || scope.tables.has(table) || scope.ctes.has(table))
  return carriers.length === 1 ? carriers[0]?.alias : undefined
}

/** A new row's tenant must be a parameter, or the tenant of a row that is bound itself. */
function insertFaults(level: Node, scope: Scope): string[] {
  const table = textAt(nodeAt(level, 'relation'), 'relname')
  if (!scope.tables.has(table)) return []
  const place = listAt(level, 'cols').findIndex((column) => textAt(nodeAt(column, 'ResTarget'), 'name') === 'tenant_id')
  if (place === -1) return [`insert into ${table} does not say its tenant: name tenant_id among the columns.`]
  return insertedTenants(nodeAt(level, 'selectStmt', 'SelectStmt'), place).every((made) => boundValue(made, scope))
    ? []
    : [`insert into ${table}: its tenant_id is neither a parameter nor the tenant of a bound row.`]
}

type Inserted = { readonly value: Node | undefined; readonly from: readonly Item[] }

function insertedTenants(select: Node | undefined, place: number): Inserted[] {
  const rows = listAt(select, 'valuesLists').map((row) => listAt(nodeAt(row, 'List'), 'items')[place])
  if (rows.length > 0) return rows.map((value) => ({ value, from: [] }))
  const sides = [nodeAt(select, 'larg'), nodeAt(select, 'rarg')].filter((side) => side !== undefined)
  if (sides.length > 0) return sides.flatMap((side) => insertedTenants(side, place))
  const value = nodeAt(listAt(select, 'targetList')[place], 'ResTarget', 'val')
  return [{ value, from: select === undefined ? [] : itemsOf('SelectStmt', select) }]
}

function boundValue({ value, from }: Inserted, scope: Scope): boolean {
  const side = sideOf(value, from, scope)
  // Its source is checked as a level of its own, so a tenant_id that comes from there is bound or already a fault.
  return side === PARAMETER || (side !== undefined && from.some(({ alias }) => alias === side))
}
