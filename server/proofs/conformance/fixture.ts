import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { McpServer, type RemoteTool, words } from '../../src/modules/upstreams/fixtures/mcp-server.ts'
import { MODULES } from '../../src/modules.ts'
import { openHouse } from '../../testkit/house.ts'

// A workspace with the tools that the suite asks for. Most stand on an MCP server of the business, so that the suite also
// proves that pictures, sounds, resources and progress pass through unchanged.

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const SILENCE = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA='
const text = (said: string) => ({ type: 'text' as const, text: said })
const image = { type: 'image' as const, data: PIXEL, mimeType: 'image/png' }

const REMOTE: readonly RemoteTool[] = [
  ['simple_text', () => words('This is a simple text response for testing.')],
  ['image_content', () => ({ content: [image] })],
  ['audio_content', () => ({ content: [{ type: 'audio' as const, data: SILENCE, mimeType: 'audio/wav' }] })],
  [
    'embedded_resource',
    () => ({
      content: [
        {
          type: 'resource' as const,
          resource: {
            uri: 'test://embedded-resource',
            mimeType: 'text/plain',
            text: 'This is an embedded resource content.',
          },
        },
      ],
    }),
  ],
  [
    'multiple_content_types',
    () => ({
      content: [
        text('Multiple content types test:'),
        image,
        {
          type: 'resource' as const,
          resource: {
            uri: 'test://mixed-content-resource',
            mimeType: 'application/json',
            text: '{"test":"data","value":123}',
          },
        },
      ],
    }),
  ],
  ['error_handling', () => ({ ...words('This tool intentionally returns an error for testing'), isError: true })],
  [
    'tool_with_progress',
    async ({ progress }: Parameters<RemoteTool['answer']>[0]) => {
      for (const done of [0, 50, 100]) {
        await progress(done, 100)
        await pause(50)
      }
      return words('Done.')
    },
  ],
].map(([name, answer]) => ({
  name: String(name),
  description: `The suite calls it as test_${name}.`,
  // The cast is true because each pair above is a name and an answer.
  answer: answer as RemoteTool['answer'],
}))

const OWN = [
  {
    name: 'json_schema_2020_12_tool',
    description: 'Tool with JSON Schema 2020-12 features',
    is_write: false,
    parameters: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: {
          $anchor: 'addressDef',
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      properties: {
        name: { type: 'string' },
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: { type: 'string' },
        email: { type: 'string' },
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    },
  },
]

export type Fixture = { readonly url: string; close(): Promise<void> }

/** The suite sends no key, so a loopback proxy adds it and passes everything else through. */
export async function openFixture(): Promise<Fixture> {
  const proxy = createServer()
  const port = await listening(proxy)
  // To the service the proxy's address is its own: that is where its pages would come from.
  const house = await openHouse({ modules: MODULES, settings: { 'Http:PublicUrl': `http://127.0.0.1:${port}` } })
  const { apiKey } = await house.tenant('Conformance')
  const remote = new McpServer(REMOTE)
  await house.ask('PUT', '/v1/tools', { key: apiKey, body: OWN })
  const is_write = Object.fromEntries(REMOTE.map(({ name }) => [name, false]))
  const declared = await house.ask('PUT', '/v1/upstreams/test', {
    key: apiKey,
    body: { url: await remote.start(), is_write },
  })
  if (declared.status !== 200) throw new Error(declared.text)
  const { body } = await house.ask<{ key: string }>('POST', '/v1/account/keys', {
    key: apiKey,
    body: { kind: 'agent', label: 'the suite' },
  })
  const target = await listening(house.app.server.server, () => house.app.server.listen({ host: '127.0.0.1', port: 0 }))
  proxy.on('request', (asked, answer) => {
    const headers = { ...asked.headers, 'x-api-key': body.key }
    const sent = request(
      { host: '127.0.0.1', port: target, method: asked.method, path: asked.url, headers },
      (came) => {
        answer.writeHead(came.statusCode ?? 502, came.headers)
        came.pipe(answer)
      },
    )
    sent.on('error', () => answer.destroy())
    answer.on('close', () => sent.destroy())
    asked.pipe(sent)
  })
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async close() {
      proxy.closeAllConnections()
      proxy.close()
      await house.close()
      await remote.stop()
    },
  }
}

async function listening(server: Server, listen: () => Promise<unknown> = () => onLoopback(server)): Promise<number> {
  await listen()
  return (server.address() as AddressInfo).port
}

const onLoopback = (server: Server) => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
