// What a turn of a sandbox holds of its budget, and what its model is offered.
import assert from 'node:assert/strict'
import test from 'node:test'
import type { ChatAnswer, SandboxStatus } from '@tether/contract'
import { type OpenHouse, openHouse } from '../../../../testkit/house.ts'
import { playedModel } from '../../../../testkit/played-model.ts'
import { ask as askInTalk, openTalk, talk } from '../../../talk/chat/fixtures/talk.ts'
import { sandboxKey } from '../fixtures/sandbox-key.ts'
import { scriptedSite } from '../fixtures/scripted-site.ts'
import { previewsWith } from '../module.ts'

const site = scriptedSite()
openTalk({ modules: [previewsWith(site.read)] })

const OPEN = {
  'PreviewSandbox:Enabled': 'true',
  'PreviewSandbox:IpHashSalt': '5f0c7e2b9a1d4836c8e7f01b2d3a4956',
}
const DEAR = { inputMicros: 1_000_000, outputMicros: 1_000_000 }

async function readySandbox(at: OpenHouse): Promise<string> {
  const siteUrl = 'https://1.1.1.1/'
  const { sandboxKey: key } = (
    await at.ask<{ sandboxKey: string }>('POST', '/v1/preview/sandbox', { body: { siteUrl } })
  ).body
  for (let round = 0; round < 6_000; round++) {
    const { state } = (await at.ask<SandboxStatus>('GET', '/v1/preview/sandbox', { key })).body
    if (state === 'ready') return key
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  assert.fail('the crawl never ended')
}

const ask = (key: string, prompt: string, at: OpenHouse) =>
  at.ask<ChatAnswer>('POST', '/v1/chat', { key, body: { prompt } })

test('what a turn might have cost is given back as soon as it has ended', async () => {
  const settings = { ...OPEN, 'PreviewSandbox:SandboxBudgetUsd': '0.001', 'PreviewSandbox:DailyBudgetUsd': '0.001' }
  // The estimate of a round counts every token that its answer may have, which is more than the budget here.
  const usage = { inputTokens: 10, outputTokens: 5 }
  const model = playedModel(['From the site.', { type: 'usage', usage }])
  await using quick = await openHouse({ modules: [previewsWith(site.read)], settings, model, price: DEAR })
  const key = await readySandbox(quick)
  for (let asked = 1; asked <= 3; asked++) {
    const { status, error } = await ask(key, 'Do you deliver?', quick)
    assert.deepEqual([asked, status, error?.reason], [asked, 200, undefined])
  }
})

test('the model of a sandbox is offered no tool, and calling for a person takes no label off an answer', async () => {
  const model = playedModel(
    [{ call: 'tether_handoff', with: { reason: 'asked', summary: 'A person' } }],
    ['They deliver.'],
  )
  await using called = await openHouse({ modules: [previewsWith(site.read)], settings: OPEN, model })
  const { status, body } = await ask(await readySandbox(called), 'Do you deliver to Batumi?', called)
  assert.equal(status, 200)
  assert.deepEqual([body.meta.preview, body.meta.previewSources.length > 0], [true, true])
  assert.ok(body.blocks.every(({ preview }) => preview === true))
  for (const { tools } of model.requests) assert.deepEqual(tools, [])
})

test('a sandbox is offered no tools, even if its workspace has some and the turn asks for writes and deep tools', async () => {
  const { house, shop, model } = talk
  model.play(['Fine.'])
  const wanted = { prompt: 'Hi', enableWriteActions: true, capabilityMode: 'Deep' }
  const offered = async (key: string) => {
    const { body } = await askInTalk(wanted, { key })
    return [body.meta.capabilityMode, model.requests.at(-1)?.tools.length !== 0]
  }
  assert.deepEqual(await offered(shop.apiKey), ['Deep', true])
  assert.deepEqual(await offered(await sandboxKey(house, shop.tenantId)), ['Standard', false])
})
