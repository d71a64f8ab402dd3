// The example of docs/trials.md, as it stands there, over the catalog of the demo and without a model.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import test, { after, before } from 'node:test'
import type { TrialsAnswer } from '@tether/contract'
import { CATALOG } from '@tether/demo'
import { type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { offline } from '../../modules/offline/module.ts'

const PAGE = readFileSync(path.join(import.meta.dirname, '../../../../docs/trials.md'), 'utf8')
const [asked = '', said = ''] = [...PAGE.matchAll(/```json.*\n([\s\S]+?)```/g)].map(([, text]) => text)

let house: OpenHouse
before(async () => {
  house = await openHouse({ modules: [offline] })
})
after(() => house.close())

async function play(body: unknown): Promise<TrialsAnswer> {
  const { apiKey: key } = await house.tenant()
  assert.equal((await house.ask('PUT', '/v1/tools', { key, body: CATALOG })).status, 200)
  const reply = await house.ask<TrialsAnswer>('POST', '/v1/tools/trials', { key, body })
  assert.equal(reply.status, 200, reply.text)
  return reply.body
}

test('the cases of the page pass over the demo’s catalog, and its answer is the one that comes', async () => {
  const body = await play(JSON.parse(asked))
  assert.deepEqual(
    body.results.map(({ prompt, failures, warnings }) => ({ prompt, failures, warnings })),
    body.results.map(({ prompt }) => ({ prompt, failures: [], warnings: [] })),
  )
  assert.deepEqual([body.model, body.offline, body.costUsd], ['offline', null, 0])
  const shown = JSON.parse(said)
  const [result] = body.results
  assert.deepEqual(Object.keys(body), Object.keys(shown))
  assert.deepEqual(Object.keys(result ?? {}), Object.keys(shown.results[0]))
  assert.deepEqual(result?.chosen, shown.results[0].chosen)
})

test('a description that says less makes a case of the page fail, with its transcript', async () => {
  const { apiKey: key } = await house.tenant()
  const worse = CATALOG.map((tool) =>
    tool.name === 'get_delivery_options'
      ? {
          ...tool,
          name: 'get_terms',
          labels: {},
          examples: {},
          description: 'Reads the terms that apply to something.',
        }
      : tool,
  )
  await house.ask('PUT', '/v1/tools', { key, body: worse })
  const { body } = await house.ask<TrialsAnswer>('POST', '/v1/tools/trials', { key, body: JSON.parse(asked) })
  const failed = body.results.filter(({ passed }) => !passed)
  assert.deepEqual(
    failed.map(({ prompt }) => prompt),
    ['What does delivery to Batumi cost?'],
  )
  assert.match(failed[0]?.failures[0] ?? '', /Expected a call of "get_delivery_options"/)
  assert.match(
    failed[0]?.warnings.join() ?? '',
    /expect\.tool is "get_delivery_options", which the catalog does not have/,
  )
  assert.equal(failed[0]?.transcript?.[0]?.text, 'What does delivery to Batumi cost?')
})
