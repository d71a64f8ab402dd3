// Each module can be taken away: without it the service starts, describes itself, and stages, approves and runs a write.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { type OpenHouse, openHouse } from '../testkit/house.ts'
import { ScriptedEndpoint } from '../testkit/scripted-endpoint.ts'
import { defineModule, describeModules, type Module } from './module.ts'
import { openOffline } from './modules/offline/index.ts'
import { MODULES } from './modules.ts'

const endpoint = new ScriptedEndpoint()
after(() => endpoint.stop())

const TOOL = {
  name: 'refund_order',
  description: 'Pays an order back.',
  is_write: true,
  parameters: { type: 'object', properties: { number: { type: 'string' } }, required: ['number'] },
}

/** The list without a module and without those that need it. */
function without(removed: Module, from = MODULES): readonly Module[] {
  const left = from.filter((one) => one !== removed)
  const orphan = left.find(({ needs = [] }) => needs.some((needed) => !left.includes(needed)))
  return orphan === undefined ? left : without(orphan, left)
}

async function stageApproveAndRun(house: OpenHouse): Promise<void> {
  const { apiKey: key } = await house.tenant()
  assert.equal((await house.ask('PUT', '/v1/tools', { key, body: [TOOL] })).status, 200)
  assert.equal((await house.ask('PUT', '/v1/endpoint', { key, body: { url: await endpoint.start() } })).status, 200)
  const body = { tool: 'refund_order', arguments: { number: 'A-1' } }
  const staged = await house.ask<{ actionId: string }>('POST', '/v1/actions', { key, body })
  const confirm = `/v1/actions/${staged.body.actionId}/confirm`
  const headers = { 'x-service-user-id': '7' }
  const confirmed = await house.ask<{ status: string }>('POST', confirm, { key, headers, body: {} })
  assert.equal(confirmed.body.status, 'Executed')
}

const lists = [
  { name: 'no module at all', modules: [] },
  ...MODULES.map((one) => ({ name: `no ${one.name}`, modules: without(one) })),
]
for (const { name, modules } of lists)
  test(`with ${name} the service serves and runs a write`, async () => {
    const house = await openHouse({ modules })
    try {
      for (const path of ['/health', '/ready', '/swagger', '/inbox'])
        assert.equal((await house.ask('GET', path)).status, 200, path)
      const { paths } = (await house.ask<{ paths: Record<string, unknown> }>('GET', '/openapi')).body
      const removed = describeModules(MODULES.filter((one) => !modules.includes(one)))
      assert.deepEqual(
        removed
          .filter(({ path, unlisted }) => !unlisted && path.replace(/:(\w+)/g, '{$1}') in paths)
          .map(({ path }) => path),
        [],
      )
      await stageApproveAndRun(house)
    } finally {
      await house.close()
    }
  })

test('two modules that make the same offer do not start, and the error names it', async () => {
  const offline = (name: string) => defineModule({ name, offers: () => ({ model: openOffline }) })
  await assert.rejects(openHouse({ modules: [offline('a'), offline('b')] }), /Two modules offer "model"/)
})

test('a module that stands before one that it needs, or twice, does not start', async () => {
  const needed = defineModule({ name: 'needed' })
  const needing = defineModule({ name: 'needing', needs: [needed] })
  await assert.rejects(openHouse({ modules: [needing, needed] }), /needing needs needed/)
  await assert.rejects(openHouse({ modules: [needed, needed] }), /Two modules are called needed/)
})

test('the list has every module, with the needs that the walls hold it to', () => {
  const names = readdirSync(path.join(import.meta.dirname, 'modules'))
  assert.deepEqual(MODULES.map(({ name }) => name).toSorted(), names.toSorted())
  const { needs } = JSON.parse(readFileSync(path.join(import.meta.dirname, '../floors.json'), 'utf8'))
  const inList = MODULES.filter((one) => one.needs !== undefined)
  assert.deepEqual(Object.fromEntries(inList.map((one) => [one.name, one.needs?.map(({ name }) => name)])), needs)
})
