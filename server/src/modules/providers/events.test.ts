// The events of fifty businesses at one address: each is signed with the secret of the business that it names, and with no other.
import assert from 'node:assert/strict'
import test from 'node:test'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { verifySignature } from '../../../../sdk/src/index.ts'
import { openHouse } from '../../../testkit/house.ts'
import { type NewBusiness, openProvider } from '../../../testkit/providers.ts'
import { ScriptedEndpoint } from '../../../testkit/scripted-endpoint.ts'
import { openApiImport } from '../openapi-import/module.ts'
import { providers } from './module.ts'

const BUSINESSES = 50
const PAY = { name: 'pay_back', description: 'Pays an order back to whoever placed it.', is_write: true }

test('each event is signed with the secret of its business, wherever the webhook came from', async () => {
  await using house = await openHouse({ modules: [openApiImport, providers], random: () => 0 })
  const receiver = new ScriptedEndpoint()
  const url = await receiver.start()
  try {
    const provider = await openProvider(house)
    const businesses = new Map<number, NewBusiness>()
    const add = async (more: object) => {
      const made = await provider.business(more)
      businesses.set(made.tenantId, made)
      return made
    }
    // Without a webhook of the provider's there is none to copy.
    const early = await add({})
    await house.ask('PUT', '/v1/events/webhook', { key: provider.apiKey, body: { url } })
    for (let n = 2; n < BUSINESSES; n++) await add(n % 2 === 0 ? {} : { configuration: ['events_webhook', 'origins'] })
    const own = await add({ configuration: [] })
    await house.ask('PUT', '/v1/events/webhook', { key: own.apiKey, body: { url } })
    const tenantIds = [early.tenantId]
    await provider.ask('PUT', 'configuration', { parts: ['events_webhook'], tenantIds })
    assert.equal(businesses.size, BUSINESSES)

    const seen = receiver.play((_request, response) => void response.writeHead(204).end())
    for (const { apiKey: key } of [provider, ...businesses.values()]) {
      await house.ask('PUT', '/v1/tools', { key, body: [PAY] })
      await house.ask('POST', '/v1/actions', { key, body: { tool: PAY.name } })
    }
    const never = new AbortController().signal
    for (let round = 0; round < 200 && seen.length < BUSINESSES + 1; round++) {
      await house.app.pump.work(never)
      await house.app.pump.idle()
    }
    assert.equal(seen.length, BUSINESSES + 1)
    const named = new Set<number>()
    for (const { headers, text, body } of seen) {
      const { organization_id: tenantId } = body.tenant as { organization_id: number }
      named.add(tenantId)
      const secret = businesses.get(tenantId)?.signingSecret ?? provider.signingSecret
      const given = { headers, body: text }
      assert.equal((await verifySignature({ ...given, secret })).ok, true, `business ${tenantId}`)
      const standard = Object.fromEntries(
        ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, String(headers[name])]),
      )
      new StandardWebhook(secret).verify(text, standard)
      const others = [...businesses.values(), provider].filter((one) => one.signingSecret !== secret)
      for (const other of others)
        assert.equal((await verifySignature({ ...given, secret: other.signingSecret })).ok, false)
    }
    assert.deepEqual(named, new Set([provider.tenantId, ...businesses.keys()]))
  } finally {
    await receiver.stop()
  }
})
