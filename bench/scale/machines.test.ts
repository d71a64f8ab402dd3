import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BUSY, type Cost, carried, machinesFor } from './machines.ts'

const read: Cost = { name: 'read', share: 0.9, serviceMs: 1, databaseMs: 0.4, storedBytes: 100 }
const stage: Cost = { name: 'stage', share: 0.1, serviceMs: 2, databaseMs: 1.4, storedBytes: 2_100 }

test('machines are as many as keep them at the share of their time that was chosen', () => {
  const { deployment, connections, gigabytesPerDay } = machinesFor([read, stage], 6_000)
  assert.equal(deployment.instances, Math.ceil((6_000 * 1.1) / 1000 / BUSY))
  assert.equal(deployment.databaseCores, Math.ceil((6_000 * 0.5) / 1000 / BUSY))
  assert.equal(connections, deployment.instances * deployment.poolSize)
  assert.equal(Math.round(gigabytesPerDay), Math.round((6_000 * 86_400 * 300) / 1e9))
})

test('there are two instances at least, and the shares need not add up to one', () => {
  assert.equal(machinesFor([read], 1).deployment.instances, 2)
  const halved = [read, stage].map((cost) => ({ ...cost, share: cost.share / 2 }))
  assert.deepEqual(machinesFor(halved, 6_000), machinesFor([read, stage], 6_000))
})

const slow = [read, stage].map((one) => ({ ...one, serviceMs: one.serviceMs * 10, databaseMs: one.databaseMs * 10 }))

test('what is called enough carries the load, and is as busy as it was meant to be at most', () => {
  const said = carried(slow, 200, machinesFor(slow, 200))
  assert.ok(Math.abs(said.perSecond / 200 - 1) < 0.05, `${said.perSecond} per second`)
  assert.ok(said.serviceBusy > BUSY - 0.1 && said.serviceBusy < BUSY + 0.03, `busy ${said.serviceBusy}`)
  assert.equal(said.givenUp, 0)
})

test('a quarter of the machines does not carry it', () => {
  const machines = machinesFor(slow, 200)
  assert.equal(machines.deployment.instances, 4)
  const said = carried(slow, 200, { ...machines, deployment: { ...machines.deployment, instances: 1 } })
  assert.ok(said.serviceBusy > 0.99 && said.perSecond < 100, `${said.perSecond} per second, busy ${said.serviceBusy}`)
})
