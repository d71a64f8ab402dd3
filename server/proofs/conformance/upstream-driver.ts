import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { MODULES } from '../../src/modules.ts'
import { openHouse } from '../../testkit/house.ts'

type Offered = {
  readonly name: string
  readonly parameters: { readonly properties?: Record<string, { readonly type?: string }> }
}
type Wanted = { readonly name: string; readonly arguments: object }

export type Driver = { readonly port: number; close(): Promise<void> }

/** Plays the suite's client as a workspace would: it declares the suite's server, and calls its tools. */
export async function openDriver(): Promise<Driver> {
  const house = await openHouse({
    modules: MODULES,
    settings: { 'ToolTransport:MaxAttempts': '1', 'ToolTransport:TimeoutSeconds': '8' },
  })
  let many = 0

  async function drive(url: string, wanted: readonly Wanted[] | undefined): Promise<string> {
    const { apiKey: key } = await house.tenant()
    const path = `/v1/upstreams/s${++many}`
    // The first answer is a refusal that lists what there is to declare.
    const seen = await house.ask<{ tools?: Offered[]; error?: string }>('PUT', path, { key, body: { url } })
    const offered = seen.body.tools ?? []
    if (offered.length === 0) return `nothing to call: ${seen.text}`
    const is_write = Object.fromEntries(offered.map(({ name }) => [name, false]))
    const declared = await house.ask<{ upstream: { tools: { tool: string; name: string }[] } }>('PUT', path, {
      key,
      body: { url, is_write },
    })
    // A schema that points to somewhere else is refused, and never followed.
    if (declared.status !== 200) return declared.text
    const names = new Map(declared.body.upstream.tools.map(({ tool, name }) => [tool, name]))
    const said: string[] = []
    for (const { name, arguments: given } of wanted ?? offered.map(plainCall)) {
      // A catalog knows no null where a text is meant: an argument without a value is left out.
      const body = { arguments: Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)) }
      said.push((await house.ask('POST', `/v1/tools/${names.get(name) ?? name}/call`, { key, body })).text)
    }
    return said.join('\n')
  }

  const server = createServer(async (request, response) => {
    const { url, context } = JSON.parse(Buffer.concat(await request.toArray()).toString())
    try {
      response.end(await drive(url, JSON.parse(context).toolCalls))
    } catch (error) {
      response.writeHead(500).end(String(error))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections()
      server.close()
      await house.close()
    },
  }
}

const PLAIN: Readonly<Record<string, unknown>> = { string: 'x', boolean: true, array: [], object: {} }

const plainCall = ({ name, parameters: { properties = {} } }: Offered): Wanted => ({
  name,
  arguments: Object.fromEntries(Object.entries(properties).map(([key, { type = '' }]) => [key, PLAIN[type] ?? 5])),
})
