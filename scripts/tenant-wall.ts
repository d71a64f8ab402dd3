// The tenant wall: proves with PostgreSQL's own parser that every mention of a tenant's table says itself which tenant it
// means. What follows from something else (a join, a common table expression, an outer query) is not enough: whoever
// divides the tables by tenant then has to look into every part of them.
import { commandsOf, findAll, isNode, listAt, type Node, nodeAt, textAt } from './sql-tree.ts'

/** The value that says which tenant a statement is about. */
const TENANT_VALUE = 'tenantId'
const COLUMN = 'tenant_id'

type Scope = {
  readonly tables: ReadonlySet<string>
  readonly ctes: ReadonlySet<string>
  /** The place of `$tenantId`; 0 where the text does not name it. */
  readonly tenant: number
  /** Set for a statement that spans tenants: the aliases of the queries around this one. Its joins are checked and nothing else. */
  readonly around?: ReadonlySet<string>
}

type Compiled = { readonly text: string; readonly names: readonly string[] }

/** What is wrong with one statement: nothing, when each tenant's table in it is bound to the tenant that it names. */
export function wallFaults({ text, names }: Compiled, tables: ReadonlySet<string>): string[] {
  const scope: Scope = { tables, ctes: new Set(), tenant: names.indexOf(TENANT_VALUE) + 1 }
  return commandsOf(text).flatMap((command) => queryFaults(command, scope))
}

/**
 * What is wrong with the joins of a statement that spans tenants: nothing, when every tenant's table is joined to the others by
 * `tenant_id`. Without that, a row of one tenant meets the rows of all others.
 */
export function joinFaults({ text, names }: Compiled, tables: ReadonlySet<string>): string[] {
  const scope: Scope = { tables, ctes: new Set(), tenant: names.indexOf(TENANT_VALUE) + 1, around: new Set() }
  return commandsOf(text).flatMap((command) => queryFaults(command, scope))
}

/** Whether it only looks: it changes nothing and locks nothing. */
export const looksOnly = (text: string): boolean =>
  commandsOf(text).every(
    (command) =>
      nodeAt(command, 'SelectStmt') !== undefined &&
      ['InsertStmt', 'UpdateStmt', 'DeleteStmt', 'MergeStmt', 'LockingClause'].every(
        (kind) => findAll(command, kind).length === 0,
      ),
  )

const LEVELS = ['SelectStmt', 'UpdateStmt', 'DeleteStmt', 'InsertStmt'] as const
type Level = (typeof LEVELS)[number]

/** A whole command, or what a common table expression runs. */
function queryFaults(query: Node, scope: Scope): string[] {
  const kind = LEVELS.find((one) => nodeAt(query, one) !== undefined)
  return kind === undefined
    ? [`${Object.keys(query).join()} is nothing that this wall can read: write it as select, insert, update or delete.`]
    : levelFaults(kind, nodeAt(query, kind) ?? {}, scope)
}

/** Queries inside of something else are levels of their own. */
function insideFaults(value: unknown, scope: Scope): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => insideFaults(one, scope))
  if (!isNode(value)) return []
  const kind = LEVELS.find((one) => nodeAt(value, one) !== undefined)
  return kind === undefined
    ? Object.values(value).flatMap((one) => insideFaults(one, scope))
    : levelFaults(kind, nodeAt(value, kind) ?? {}, scope)
}

function levelFaults(kind: Level, level: Node, outer: Scope): string[] {
  const { faults, scope } = withCtes(level, outer)
  const items = itemsOf(kind, level)
  if (scope.around !== undefined)
    return [...faults, ...spanningFaults(level, items, { ...scope, around: scope.around })]
  const bound = boundAliases(items, level, scope)
  const unbound = items.filter((item) => isTable(item, scope) && !bound.has(item.alias)).map(unboundFault)
  // Common table expressions were looked at where they stand, and the sides of a union are queries without a wrapping.
  const { withClause: _ctes, larg: _left, rarg: _right, ...rest } = level
  return [
    ...faults,
    ...(kind === 'InsertStmt' ? insertFaults(level, scope) : unbound),
    ...columnFaults(kind, level, items, scope),
    ...sidesOf(level).flatMap((side) => levelFaults('SelectStmt', side, scope)),
    ...unionFaults(level, scope),
    ...insideFaults(Object.values(rest), scope),
  ]
}

function spanningFaults(level: Node, items: readonly Item[], scope: Scope & { around: ReadonlySet<string> }): string[] {
  const { withClause: _ctes, larg: _left, rarg: _right, fromClause, usingClause, ...rest } = level
  const within = { ...scope, around: new Set([...scope.around, ...items.map(({ alias }) => alias)]) }
  return [
    ...unjoinedFaults(level, items, scope),
    ...sidesOf(level).flatMap((side) => levelFaults('SelectStmt', side, scope)),
    // A query in the `from` stands by itself. One in a condition reads the rows around it.
    ...insideFaults([fromClause, usingClause], scope),
    ...insideFaults(Object.values(rest), within),
  ]
}

function unjoinedFaults(level: Node, items: readonly Item[], scope: Scope & { around: ReadonlySet<string> }): string[] {
  const bound = boundAliases(items, level, scope)
  const tables = items.filter((item) => isTable(item, scope) && !bound.has(item.alias))
  const isAlone = scope.around.size === 0 && items.filter((item) => hasTenant(item, scope)).length < 2
  if (isAlone) return []
  const groups = joinedGroups(level, items, scope)
  // One group holds them all, and within a condition also a row around it.
  const [first] = tables
  const group = groups.find((one) => first !== undefined && one.has(first.alias)) ?? new Set()
  const isAnchored = scope.around.size === 0 || [...scope.around].some((alias) => group.has(alias))
  return tables
    .filter(({ alias }) => !isAnchored || !group.has(alias))
    .map(
      ({ table, alias }) =>
        `${table} (as ${alias}) is not joined by ${COLUMN}: add "${alias}.${COLUMN} = …" with the ${COLUMN} of another row.`,
    )
}

/** Names of a column that may hold the id of a tenant. */
const HOLDS_TENANT = /tenant_?id$/i

/** The aliases that conditions hold together by their tenants. */
function joinedGroups(level: Node, items: readonly Item[], scope: Scope): Set<string>[] {
  const groups: Set<string>[] = []
  for (const node of [...conjuncts(nodeAt(level, 'whereClause')), ...sourcesOf(level).flatMap(joinQuals)]) {
    const expression = nodeAt(node, 'A_Expr')
    if (!isEquality(expression)) continue
    const sides = [nodeAt(expression, 'lexpr'), nodeAt(expression, 'rexpr')].map((side) => holderOf(side, items, scope))
    const [left, right] = sides
    if (left === undefined || right === undefined || left === right) continue
    const [one, other] = [left, right].map((alias) => groups.find((group) => group.has(alias)) ?? new Set([alias]))
    const merged = new Set([...(one ?? []), ...(other ?? [])])
    groups.splice(0, groups.length, ...groups.filter((group) => group !== one && group !== other), merged)
  }
  return groups
}

const joinQuals = (node: Node): Node[] => {
  const join = nodeAt(node, 'JoinExpr')
  return join === undefined ? [] : [...conjuncts(nodeAt(join, 'quals')), ...sidesOf(join).flatMap(joinQuals)]
}

/** The alias whose tenant this column holds. */
function holderOf(node: Node | undefined, items: readonly Item[], scope: Scope): string | undefined {
  const fields = fieldsOf(node)
  if (!HOLDS_TENANT.test(fields.at(-1) ?? '')) return undefined
  return fields.length > 1 ? fields[0] : carrierOf(node, items, scope)[0]
}

const unboundFault = ({ table, alias }: Item): string =>
  `${table}${alias === table ? '' : ` (as ${alias})`} is not bound to the tenant: add "${alias}.${COLUMN} = $${TENANT_VALUE}" beside it.`

function withCtes(level: Node, scope: Scope): { faults: string[]; scope: Scope } {
  const ctes = new Set(scope.ctes)
  const faults: string[] = []
  for (const entry of listAt(nodeAt(level, 'withClause'), 'ctes')) {
    const cte = nodeAt(entry, 'CommonTableExpr')
    const query = nodeAt(cte, 'ctequery')
    if (query !== undefined) faults.push(...queryFaults(query, { ...scope, ctes: new Set(ctes) }))
    if (scope.around === undefined) faults.push(...aliasFaults(cte, 'aliascolnames'))
    ctes.add(textAt(cte, 'ctename'))
  }
  return { faults, scope: { ...scope, ctes } }
}

type Item = { readonly table: string; readonly alias: string; readonly schema?: string }

/** A query in the `from`: a level of its own, so the tenant that comes out of it is bound, or a fault already. */
const SUBQUERY = '(a query)'
// Under the name of its schema a table is meant, whatever a common table expression is called.
const isTable = ({ table, schema = '' }: Item, { tables, ctes }: Scope): boolean =>
  tables.has(table) && (schema !== '' || !ctes.has(table))
const hasTenant = ({ table }: Item, { tables, ctes }: Scope): boolean =>
  table === SUBQUERY || tables.has(table) || ctes.has(table)

const itemOf = (range: Node): Item => {
  const table = textAt(range, 'relname')
  return { table, alias: textAt(nodeAt(range, 'alias'), 'aliasname') || table, schema: textAt(range, 'schemaname') }
}

const sourcesOf = (level: Node): Node[] => [...listAt(level, 'fromClause'), ...listAt(level, 'usingClause')]

function itemsOf(kind: Level, level: Node): Item[] {
  const target = kind === 'UpdateStmt' || kind === 'DeleteStmt' ? [itemOf(nodeAt(level, 'relation') ?? {})] : []
  return [...target, ...sourcesOf(level).flatMap(fromItems)]
}

function fromItems(node: Node): Item[] {
  const range = nodeAt(node, 'RangeVar') ?? nodeAt(node, 'RangeTableSample', 'relation', 'RangeVar')
  if (range !== undefined) return [itemOf(range)]
  const inner = nodeAt(node, 'RangeSubselect')
  if (inner !== undefined) return [{ table: SUBQUERY, alias: textAt(nodeAt(inner, 'alias'), 'aliasname') }]
  return sidesOf(nodeAt(node, 'JoinExpr')).flatMap(fromItems)
}

const sidesOf = (join: Node | undefined): Node[] =>
  [nodeAt(join, 'larg'), nodeAt(join, 'rarg')].filter((side) => side !== undefined)

type Condition = { readonly node: Node; readonly binds: ReadonlySet<string> }

/** The aliases beside which `tenant_id = $tenantId` stands. */
function boundAliases(items: readonly Item[], level: Node, scope: Scope): Set<string> {
  const all = new Set(items.map(({ alias }) => alias))
  const conditions: Condition[] = [
    ...conjuncts(nodeAt(level, 'whereClause')).map((node) => ({ node, binds: all })),
    ...sourcesOf(level).flatMap(joinConditions),
  ]
  return new Set(
    conditions.flatMap(({ node, binds }) => boundBy(node, items, scope).filter((alias) => binds.has(alias))),
  )
}

/** The condition of an outer join leaves the rows of its outer side as they are, and so binds only the other one. */
const BINDS: Readonly<Record<string, readonly ('larg' | 'rarg')[]>> = {
  JOIN_INNER: ['larg', 'rarg'],
  JOIN_LEFT: ['rarg'],
  JOIN_RIGHT: ['larg'],
}

function joinConditions(node: Node): Condition[] {
  const join = nodeAt(node, 'JoinExpr')
  if (join === undefined) return []
  const within = (BINDS[textAt(join, 'jointype')] ?? []).flatMap((side) => fromItems(nodeAt(join, side) ?? {}))
  const binds = new Set(within.map(({ alias }) => alias))
  return [
    ...conjuncts(nodeAt(join, 'quals')).map((one) => ({ node: one, binds })),
    ...sidesOf(join).flatMap(joinConditions),
  ]
}

/** Only conditions that must all hold can bind: one inside an `or` or a `not` binds nothing. */
function conjuncts(node: Node | undefined): Node[] {
  if (node === undefined) return []
  const all = nodeAt(node, 'BoolExpr')
  return all?.boolop === 'AND_EXPR' ? listAt(all, 'args').flatMap((one) => conjuncts(one)) : [node]
}

const isEquality = (expression: Node | undefined): boolean =>
  expression?.kind === 'AEXPR_OP' && textAt(nodeAt(listAt(expression, 'name')[0], 'String'), 'sval') === '='

function boundBy(node: Node, items: readonly Item[], scope: Scope): string[] {
  const expression = nodeAt(node, 'A_Expr')
  if (!isEquality(expression)) return []
  const [left, right] = [nodeAt(expression, 'lexpr'), nodeAt(expression, 'rexpr')]
  return [
    ...(isTenantValue(right, scope) ? carrierOf(left, items, scope) : []),
    ...(isTenantValue(left, scope) ? carrierOf(right, items, scope) : []),
  ]
}

const withoutCast = (node: Node | undefined): Node | undefined => {
  const inner = nodeAt(node, 'TypeCast', 'arg')
  return inner === undefined ? node : withoutCast(inner)
}

const isTenantValue = (node: Node | undefined, { tenant }: Scope): boolean => {
  const place = nodeAt(withoutCast(node), 'ParamRef')?.number
  return tenant > 0 && place === tenant
}

const fieldsOf = (node: Node | undefined): string[] =>
  listAt(nodeAt(withoutCast(node), 'ColumnRef'), 'fields').map((field) => textAt(nodeAt(field, 'String'), 'sval'))

/** The alias whose tenant_id this is; none where it is something else, or could be that of two. */
function carrierOf(node: Node | undefined, items: readonly Item[], scope: Scope): string[] {
  const fields = fieldsOf(node)
  if (fields.at(-1) !== COLUMN) return []
  const carriers = items.filter((item) => hasTenant(item, scope)).map(({ alias }) => alias)
  if (fields.length === 1) return carriers.length === 1 ? carriers : []
  return carriers.filter((alias) => alias === fields[0])
}

/** A new row's tenant is the value itself, or the tenant of a row that is bound where it is read. */
function insertFaults(level: Node, scope: Scope): string[] {
  const table = textAt(nodeAt(level, 'relation'), 'relname')
  if (!scope.tables.has(table)) return []
  const place = listAt(level, 'cols').findIndex((column) => textAt(nodeAt(column, 'ResTarget'), 'name') === COLUMN)
  if (place === -1) return [`insert into ${table} does not say its tenant: name ${COLUMN} among the columns.`]
  const made = insertedTenants(nodeAt(level, 'selectStmt', 'SelectStmt') ?? {}, place)
  return made.every(({ value, from }) => isTenant(value, from, scope))
    ? []
    : [`insert into ${table}: its ${COLUMN} is neither $${TENANT_VALUE} nor the tenant of a bound row.`]
}

type Inserted = { readonly value: Node | undefined; readonly from: readonly Item[] }

function insertedTenants(select: Node, place: number): Inserted[] {
  const rows = listAt(select, 'valuesLists').map((row) => listAt(nodeAt(row, 'List'), 'items')[place])
  if (rows.length > 0) return rows.map((value) => ({ value, from: [] }))
  return leavesOf(select).map((leaf) => ({
    value: targetsOf(listAt(leaf, 'targetList'))[place]?.value,
    from: itemsOf('SelectStmt', leaf),
  }))
}

const isTenant = (value: Node | undefined, from: readonly Item[], scope: Scope): boolean =>
  isTenantValue(value, scope) || carrierOf(value, from, scope).length > 0

// What is called tenant_id is believed to be one where it is read, so nothing else may be called so.

function columnFaults(kind: Level, level: Node, items: readonly Item[], scope: Scope): string[] {
  const isSelect = kind === 'SelectStmt'
  const from = isSelect ? items : [itemOf(nodeAt(level, 'relation') ?? {}), ...items]
  const shown = isSelect ? listAt(level, 'targetList') : listAt(nodeAt(level, 'returningClause'), 'exprs')
  const written = [
    ...(kind === 'UpdateStmt' ? listAt(level, 'targetList') : []),
    ...listAt(nodeAt(level, 'onConflictClause'), 'targetList'),
  ]
  const misnamed = targetsOf(shown).filter(({ name, value }) => name === COLUMN && !isTenant(value, from, scope))
  const moved = targetsOf(written).filter(({ name }) => name === COLUMN)
  return [
    ...misnamed.map(() => OTHERWISE_CALLED),
    ...moved.map(() => `${COLUMN} is written: a row never changes its tenant.`),
    ...sourcesOf(level).flatMap((source) => aliasFaults(nodeAt(source, 'RangeSubselect', 'alias'), 'colnames')),
  ]
}

const OTHERWISE_CALLED = `something else is called ${COLUMN}: give it another name.`

type Target = { readonly name: string; readonly value: Node | undefined }

const targetsOf = (list: readonly Node[]): Target[] =>
  list.map((one) => {
    const target = nodeAt(one, 'ResTarget')
    return { name: textAt(target, 'name'), value: nodeAt(target, 'val') }
  })

/** The first query of a union names the columns of the others, by their places. */
function unionFaults(union: Node, scope: Scope): string[] {
  const [first, ...others] = leavesOf(union)
  const named = targetsOf(listAt(first, 'targetList')).map(({ name, value }) => name || fieldsOf(value).at(-1))
  const place = named.indexOf(COLUMN)
  const misnamed = others.filter((other) => {
    const value = targetsOf(listAt(other, 'targetList'))[place]?.value
    return value !== undefined && !hasStar(value) && !isTenant(value, itemsOf('SelectStmt', other), scope)
  })
  return misnamed.map(() => OTHERWISE_CALLED)
}

const leavesOf = (select: Node): Node[] => {
  const sides = sidesOf(select)
  return sides.length === 0 ? [select] : sides.flatMap(leavesOf)
}

const hasStar = (value: Node): boolean => findAll(value, 'A_Star').length > 0

const aliasFaults = (named: Node | undefined, member: string): string[] =>
  listAt(named, member).some((name) => textAt(nodeAt(name, 'String'), 'sval') === COLUMN)
    ? [`a list of columns calls one of them ${COLUMN}: let the query itself name it.`]
    : []
