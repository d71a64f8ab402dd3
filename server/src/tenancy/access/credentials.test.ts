import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Database } from '../../kernel/db/index.ts'
import { openCredentials } from './credentials.ts'
import type { CredentialRow } from './queries.ts'

const hashOf = (at: number) => Buffer.alloc(32, at)
const rowOf = (hash: Buffer) => ({ hash, prefix: `p${hash[0]}` }) as unknown as CredentialRow & { hash: Buffer }

/** A database that knows the keys below 200, and tells what it was asked. */
function recording(answer: (hashes: readonly Buffer[]) => Promise<unknown[]> = async (hashes) => hashes.map(rowOf)) {
  const asked: (number | undefined)[][] = []
  const rows = async (_: unknown, { hashes }: { hashes: readonly Buffer[] }) => {
    asked.push(hashes.map((hash) => hash[0]))
    return answer(hashes.filter((hash) => (hash[0] ?? 0) < 200))
  }
  return { asked, find: openCredentials({ rows } as unknown as Pick<Database, 'rows'>) }
}

test('requests of one turn are one query, each gets its own row, and an unknown key none', async () => {
  const { asked, find } = recording()
  const found = await Promise.all([1, 2, 250, 1].map((at) => find(hashOf(at))))
  assert.deepEqual(asked, [[1, 2, 250]])
  assert.deepEqual(
    found.map((row) => row?.prefix),
    ['p1', 'p2', undefined, 'p1'],
  )
})

test('a request that comes while a query runs is never answered by it', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { asked, find } = recording(async (hashes) => {
    await promise
    return hashes.map(rowOf)
  })
  const first = find(hashOf(1))
  await new Promise((turned) => setImmediate(turned))
  assert.deepEqual(asked, [[1]])
  const second = find(hashOf(1))
  resolve()
  await Promise.all([first, second])
  assert.deepEqual(asked, [[1], [1]])
})

test('a query that fails fails those who wait for it, and nobody after', async () => {
  let fails = true
  const { find } = recording(async (hashes) => {
    if (fails) throw new Error('away')
    return hashes.map(rowOf)
  })
  const waiting = await Promise.allSettled([find(hashOf(1)), find(hashOf(2))])
  assert.deepEqual(
    waiting.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  fails = false
  assert.equal((await find(hashOf(1)))?.prefix, 'p1')
})

test('keys whose tenant is named are looked up with their tenant, and each tenant’s of one turn together', async () => {
  const asked: unknown[] = []
  const rows = async ({ name }: { name: string }, values: { tenantId?: number; hashes: readonly Buffer[] }) => {
    asked.push([name, values.tenantId, values.hashes.map((hash) => hash[0])])
    return values.hashes.map(rowOf)
  }
  const find = openCredentials({ rows } as unknown as Pick<Database, 'rows'>)
  const found = await Promise.all([find(hashOf(1), 7), find(hashOf(2), 8), find(hashOf(3), 7), find(hashOf(4))])
  assert.deepEqual(asked, [
    ['access.find_credentials_of', 7, [1, 3]],
    ['access.find_credentials_of', 8, [2]],
    ['access.find_credentials', undefined, [4]],
  ])
  assert.deepEqual(
    found.map((row) => row?.prefix),
    ['p1', 'p2', 'p3', 'p4'],
  )
})

test('no query grows without end', async () => {
  const { asked, find } = recording()
  await Promise.all(Array.from({ length: 250 }, (_, at) => find(Buffer.from([at >> 8, at]))))
  assert.deepEqual(
    asked.map((hashes) => hashes.length),
    [100, 100, 50],
  )
})
