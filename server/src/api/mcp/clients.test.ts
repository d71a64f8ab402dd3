// The official client of the protocol, in each era, and many of them at once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client, StreamableHTTPClientTransport, type VersionNegotiationOptions } from '@modelcontextprotocol/client'
import { address, endpoint, newShop, type Shop, set } from './fixtures/shop.ts'

const ERAS: Readonly<Record<string, VersionNegotiationOptions>> = {
  legacy: { mode: 'legacy' },
  modern: { mode: { pin: '2026-07-28' } },
  negotiated: { mode: 'auto' },
}

async function connected(era: string, headers: Record<string, string>): Promise<Client> {
  const versionNegotiation = ERAS[era] ?? {}
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation })
  await client.connect(new StreamableHTTPClientTransport(await address(), { requestInit: { headers } }))
  return client
}

for (const era of Object.keys(ERAS)) {
  test(`${era}: the official client lists, calls and proposes`, async () => {
    endpoint.play((_seen, response) => void response.end('{"state":"paid"}'))
    const client = await connected(era, { authorization: `Bearer ${set.shop.agentKey}` })
    assert.equal(client.getProtocolEra(), era === 'legacy' ? 'legacy' : 'modern')
    assert.equal(client.getServerVersion()?.name, 'tether')
    const { tools } = await client.listTools()
    assert.ok(tools.some(({ name }) => name === 'get_order'))
    const read = await client.callTool({ name: 'get_order', arguments: { number: 'A-1' } })
    assert.deepEqual(read.structuredContent, { state: 'paid' })
    const write = await client.callTool({ name: 'refund_order', arguments: { number: 'A-1' } })
    const { status, actionId } = write.structuredContent as { status: string; actionId: string }
    assert.equal(status, 'staged')
    const told = await client.callTool({ name: 'tether_action_status', arguments: { action_id: actionId } })
    assert.equal((told.structuredContent as { status: string }).status, 'pending')
    // What did not go well has a structure too, and the client holds it to the tool's schema.
    const misfit = await client.callTool({ name: 'refund_order', arguments: {} })
    assert.equal(misfit.isError, true)
    await assert.rejects(client.callTool({ name: 'nothing_like_it', arguments: {} }), /There is no tool/)
    await client.close()
  })
}

test('fifty clients of two businesses at once find nothing of each other', async () => {
  const own = (shop: string) => [
    {
      name: `get_of_${shop}`,
      description: `Looks something up at ${shop} and nowhere else.`,
      is_write: false,
      parameters: { type: 'object', properties: { n: { type: 'integer' } } },
    },
    {
      name: `change_at_${shop}`,
      description: `Changes something at ${shop} and nowhere else.`,
      is_write: true,
      parameters: { type: 'object', properties: { n: { type: 'integer' } } },
    },
  ]
  const shops = { north: await newShop(own('north')), south: await newShop(own('south')) }
  const idsOf = Object.fromEntries(Object.entries(shops).map(([name, { tenantId }]) => [tenantId, name]))
  // Answers in another order than it was asked, and says for whom.
  endpoint.play((seen, response) => {
    const { organization_id: id } = seen.body.tenant as { organization_id: number }
    const { n } = seen.body.arguments as { n: number }
    setTimeout(() => response.end(JSON.stringify({ of: idsOf[id], n })), (n * 7) % 40)
  })
  const staged: Record<string, Set<string>> = { north: new Set(), south: new Set() }
  const visit = async (name: string, shop: Shop, at: number) => {
    const client = await connected(at % 2 === 0 ? 'legacy' : 'modern', { 'x-api-key': shop.agentKey })
    const other = name === 'north' ? 'south' : 'north'
    const { tools } = await client.listTools()
    assert.deepEqual(
      tools.map((tool) => tool.name),
      [`get_of_${name}`, `change_at_${name}`, 'tether_action_status'],
    )
    for (let round = 0; round < 4; round++) {
      const n = at * 10 + round
      const { structuredContent } = await client.callTool({ name: `get_of_${name}`, arguments: { n } })
      assert.deepEqual(structuredContent, { of: name, n })
    }
    const proposed = await client.callTool({ name: `change_at_${name}`, arguments: { n: at } })
    staged[name]?.add((proposed.structuredContent as { actionId: string }).actionId)
    await assert.rejects(client.callTool({ name: `get_of_${other}`, arguments: { n: 1 } }), /There is no tool/)
    await client.close()
  }
  await Promise.all(
    Array.from({ length: 50 }, (_, at) =>
      at % 4 < 2 ? visit('north', shops.north, at) : visit('south', shops.south, at),
    ),
  )
  for (const [name, shop] of Object.entries(shops)) {
    const listed = await set.house.ask<{ actions: { actionId: string }[] }>('GET', '/v1/actions?limit=200', {
      key: shop.apiKey,
    })
    assert.deepEqual(new Set(listed.body.actions.map(({ actionId }) => actionId)), staged[name], name)
  }
})
