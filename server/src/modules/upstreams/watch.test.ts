// What is seen of a server that nobody calls.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type * as contract from '@tether/contract'
import type { z } from 'zod'
import { openHouse } from '../../../testkit/house.ts'
import { statement } from '../../kernel/db/index.ts'
import { callTool, declared, seen, set, TOOLS } from './fixtures/shop.ts'

type Listed = z.output<typeof contract.Upstreams>

/** As it stands in the list, which looks at nothing. */
async function listed(name: string) {
  const { body } = await set.house.ask<Listed>('GET', '/v1/upstreams', { key: set.shop.apiKey })
  return body.upstreams.find((one) => one.name === name) ?? assert.fail(`no ${name}`)
}

const watch = async (house = set.house) => {
  const duty = house.app.duties.find(({ name }) => name === 'upstreams.watch') ?? assert.fail('no such duty')
  return await duty.work(new AbortController().signal)
}

const age = statement<unknown, { tenantId: number; name: string }>(
  'test.nobody_looked',
  `update upstreams set checked_at = now() - interval '1 hour' where tenant_id = $tenantId::int and name = $name::text`,
)
const nobodyLooked = (name: string) => set.house.database.database.run(age, { tenantId: set.shop.tenantId, name })

test('a tool that changed or vanished is noticed although nobody calls it, and is not called then', async (t) => {
  const { server, answer } = await declared(t, 'quiet')
  assert.equal(answer.status, 200, answer.text)
  server.tools = TOOLS.filter(({ name }) => name !== 'draw').map((tool) => ({ ...tool, description: 'Now other.' }))
  assert.equal(await watch(), 0, 'one that was just declared has been looked at')
  assert.equal((await listed('quiet')).health.status, 'ok')
  await nobodyLooked('quiet')
  assert.equal(await watch(), 1)
  const { health, tools } = await listed('quiet')
  assert.equal(health.status, 'changed')
  assert.deepEqual(
    tools.map(({ tool, state }) => [tool, state]),
    [
      ['searchIssues', 'changed'],
      ['create-issue', 'changed'],
      ['draw', 'vanished'],
    ],
  )
  seen.length = 0
  assert.equal((await callTool('quiet_search_issues')).status, 'failed')
  assert.equal(seen.length, 0)
  assert.equal(await watch(), 0)
})

test('a server that is gone is seen to be, and seen again when it is back', async (t) => {
  const { server } = await declared(t, 'gone')
  server.meddle = (_request, response) => !!response.destroy()
  await nobodyLooked('gone')
  await watch()
  assert.equal((await listed('gone')).health.status, 'unreachable')
  server.meddle = () => false
  await nobodyLooked('gone')
  await watch()
  assert.equal((await listed('gone')).health.status, 'ok')
})

test('one sweep checks every server of a workspace', async (t) => {
  await declared(t, 'first')
  await declared(t, 'second')
  for (const name of ['first', 'second']) await nobodyLooked(name)
  assert.equal(await watch(), 2)
})

test('of two processes one looks', async (t) => {
  const { server } = await declared(t, 'shared')
  await using beside = await openHouse({ beside: set.house })
  await nobodyLooked('shared')
  const before = server.count('tools/list')
  const taken = await Promise.all([watch(), watch(beside)])
  assert.deepEqual([taken[0] + taken[1], server.count('tools/list') - before], [1, 1])
})
