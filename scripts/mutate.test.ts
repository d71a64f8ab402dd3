import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import test from 'node:test'
import { readImporters } from './import-graph.ts'
import { applyMutant, drawMutants, type Mutant, mutantsOf, sqlEdits } from './mutants.ts'
import { mutatedFiles, nearestTests, openJudge } from './mutate.ts'

const FILE = 'server/src/writes/shop/prices.ts'
const TEXT = `export function priceOf(count: number, isMember: boolean): number {
  if (count < 10 && isMember) return 5
  return count
}
export const never = (): boolean => false
`
const changes = (mutants: readonly Mutant[]) => mutants.map(({ line, from, to }) => `${line}: ${from} => ${to}`)

test('the mutants of a file drop clauses, flip comparisons, negate conditions and replace constants', () => {
  assert.deepEqual(changes(mutantsOf(FILE, TEXT)), [
    '2: count < 10 && isMember => !(count < 10 && isMember)',
    '2: count < 10 && isMember => (count < 10)',
    '2: count < 10 && isMember => (isMember)',
    '2: < => <=',
    '2: 10 => (2 * 10)',
    '2: 5 => (2 * 5)',
    '5: false => true',
  ])
  assert.deepEqual(changes(mutantsOf(FILE, 'async function f(a: 5) {\n  await stop(a)\n}')), ['2: await stop(a) => ;'])
})

function sqlChanges(literal: string): string[] {
  return sqlEdits(literal).map(({ start, end, to }) => `${literal.slice(start, end).trim()} => ${to.trim()}`)
}

test('every clause of SQL is dropped alone, except the one that npm run check holds', () => {
  const literal = `\`select 1 from calls c join tenants t on t.tenant_id = c.tenant_id and t.live
    where c.tenant_id = $tenantId::int and (c.used or c.kept) and \${isOld} and c.at between $from and $to
      and exists (select from keys where hash = $hash and kind = 'a and b') order by c.at\``
  const dropped = sqlChanges(literal).filter((change) => change.endsWith('=> true'))
  assert.deepEqual(dropped, [
    't.live => true',
    '(c.used or c.kept) => true',
    `\${isOld} => true`,
    'c.at between $from and $to => true',
    'hash = $hash => true',
    "kind = 'a and b' => true",
    "exists (select from keys where hash = $hash and kind = 'a and b') => true",
  ])
})

test('the target of a conflict and the columns of a query are no clauses', () => {
  const inserted =
    '`insert into keys (tenant_id, hash) values (1, $hash) on conflict (tenant_id, hash) do update set used = true where k.old`'
  assert.deepEqual(sqlChanges(inserted), ['k.old => true'])
  const listed = '`select a.ready and a.at < now() as "isLapsed", a.site from keys a`'
  assert.deepEqual(sqlChanges(listed), ['a.at < now() => true', '< => <='])
})

test('comparisons, nulls and intervals of SQL change, also in a text that other statements include', () => {
  assert.deepEqual(sqlChanges("`state is null and at < now() - interval '7 days'`"), [
    'state is null => true',
    "at < now() - interval '7 days' => true",
    '< => <=',
    'is null => is not null',
    "interval '7 days' => interval '14 days'",
  ])
  assert.deepEqual(sqlChanges(`'select a text where this and that'`.replace('select', 'choose')), [])
})

test('a draw is the same for a seed, different for another one, and keeps its order where a file is added', () => {
  const mutants = mutantsOf(FILE, TEXT)
  const drawn = changes(drawMutants(mutants, '1', 4))
  assert.deepEqual(changes(drawMutants(mutants.toReversed(), '1', 4)), drawn)
  assert.notDeepEqual(changes(drawMutants(mutants, '2', 4)), drawn)
  const more = [...mutants, ...mutantsOf('server/src/writes/shop/added.ts', TEXT)]
  const kept = drawMutants(more, '1', more.length).filter(({ file }) => file === FILE)
  assert.deepEqual(changes(kept.slice(0, 4)), drawn)
})

/** A tree with one room, whose test leaves a mutant alive, one that hangs and one that fails always. */
function plantTree(): string {
  const root = mkdtempSync(path.join(tmpdir(), 'planted-'))
  const plant = (file: string, lines: readonly string[]) => {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
    writeFileSync(path.join(root, file), `${lines.join('\n')}\n`)
  }
  const testing = ["import assert from 'node:assert/strict'", "import test from 'node:test'"]
  plant('package.json', ['{ "type": "module" }'])
  plant(FILE, [TEXT])
  plant('server/src/tools/stock/index.ts', ['export const stock = 1'])
  plant('server/src/writes/shop/index.ts', ["export * from './prices.ts'"])
  plant('server/src/writes/shop/prices.test.ts', [
    ...testing,
    "import { priceOf } from './prices.ts'",
    "test('price', () => assert.deepEqual([priceOf(9, true), priceOf(9, false), priceOf(10, true)], [5, 9, 10]))",
  ])
  plant('server/src/writes/other/far.test.ts', [
    ...testing,
    "import { never } from '../shop/index.ts'",
    "test('never', () => assert.equal(never(), true))",
  ])
  plant('server/src/writes/other/alone.test.ts', testing)
  return root
}

test('tests that import a file are found through others, the nearest first', () => {
  const root = plantTree()
  try {
    assert.deepEqual(nearestTests(FILE, readImporters(root)), [
      'server/src/writes/shop/prices.test.ts',
      'server/src/writes/other/far.test.ts',
    ])
    assert.deepEqual(mutatedFiles(['prices'], root), [FILE])
  } finally {
    rmSync(root, { recursive: true })
  }
})

test('a mutant is killed by a test that passes without it, and survives where every such test still passes', async () => {
  const root = plantTree()
  try {
    const judge = openJudge(root, 60)
    const tests = nearestTests(FILE, readImporters(root))
    const mutants = mutantsOf(FILE, TEXT)
    const mutant = (to: string) => mutants.find((one) => one.to === to) ?? assert.fail(to)
    assert.deepEqual(await judge(mutant('<='), tests), {
      outcome: 'killed',
      by: 'server/src/writes/shop/prices.test.ts',
    })
    // The far test also fails without a mutant.
    assert.equal((await judge(mutant('(2 * 10)'), tests)).outcome, 'killed')
    const alive = mutantsOf(FILE, TEXT).at(-1) ?? assert.fail()
    assert.deepEqual(await judge(alive, tests.slice(0, 1)), { outcome: 'survived', passed: 1, of: 1 })
    assert.match(applyMutant(TEXT, alive), /=> true/)
    assert.equal(readFileSync(path.join(root, FILE), 'utf8').trim(), TEXT.trim(), 'the file is as it was')
    assert.deepEqual(await openJudge(root, 0)(alive, tests), { outcome: 'survived', passed: 0, of: 2 })
  } finally {
    rmSync(root, { recursive: true })
  }
})

test('a mutant that makes a test hang is timed out, and one whose test hangs anyway is not', async () => {
  const root = plantTree()
  try {
    const [mutant] = mutantsOf(FILE, TEXT)
    assert.ok(mutant)
    const isMutated = () => readFileSync(path.join(root, FILE), 'utf8').trim() !== TEXT.trim()
    const judge = openJudge(root, 60, async (_root, file) =>
      file === 'always.test.ts' || isMutated() ? 'timed out' : 'passed',
    )
    assert.deepEqual(await judge(mutant, ['a.test.ts']), { outcome: 'timed out', by: 'a.test.ts' })
    assert.deepEqual(await judge(mutant, ['always.test.ts']), { outcome: 'survived', passed: 0, of: 1 })
  } finally {
    rmSync(root, { recursive: true })
  }
})
