// The protocol's own conformance suite: against /mcp in both revisions, and against our client of other people's servers.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Fixture, openFixture } from './conformance/fixture.ts'
import { clientOf2025, installed, notApplicable, type Played, played } from './conformance/suite.ts'
import { type Driver, openDriver } from './conformance/upstream-driver.ts'

let fixture: Fixture
let driver: Driver
before(async () => {
  await installed()
  fixture = await openFixture()
  driver = await openDriver()
})
after(async () => {
  await fixture.close()
  await driver.close()
})

/** Those of a scenario that is not all about us have to be there, and have to pass. */
const OF_OTHERS: Readonly<Record<string, readonly string[]>> = {
  'server-stateless': [
    'sep-2575-request-meta-invalid-missing-meta',
    'sep-2575-http-server-meta-invalid-400',
    'sep-2575-request-meta-invalid-missing-protocol-version',
    'sep-2575-request-meta-invalid-missing-client-capabilities',
    'sep-2575-request-meta-client-info-optional',
    'sep-2575-server-implements-discover',
    'sep-2575-server-identifies-in-result-meta',
    'sep-2575-discover-capabilities-match-handlers',
    'sep-2575-server-unsupported-version-error',
    'sep-2575-http-server-unsupported-version-400',
    'sep-2575-http-server-header-mismatch-400',
    'sep-2575-http-server-method-not-found-404-initialize',
    'sep-2575-http-server-method-not-found-404-ping',
    'sep-2575-http-server-method-not-found-404',
    'sep-2575-http-server-error-jsonrpc-id',
  ],
  caching: ['sep-2549-tools-list-caching-hints', 'sep-2549-ttl-non-negative', 'sep-2549-cache-scope-valid'],
}

function holdsPartly({ checks }: Played): void {
  for (const [scenario, ids] of Object.entries(OF_OTHERS)) {
    const found = checks(scenario)
    for (const id of ids) {
      const own = found.filter((check) => check.id === id)
      assert.ok(own.length > 0 && own.every(({ status }) => status === 'SUCCESS'), `${scenario}: ${id}`)
    }
    // Whatever else did not pass could not be tried here, and nothing else may join it.
    const failed = found.filter(
      ({ status, errorMessage = '' }) => status === 'FAILURE' && !/^Not testable|-32601/.test(errorMessage),
    )
    assert.deepEqual(failed, [], scenario)
  }
}

for (const revision of ['2026-07-28', '2025-11-25']) {
  test(`/mcp passes whatever applies to it of ${revision}`, async () => {
    const args = [
      'server',
      '--url',
      fixture.url,
      '--requirements',
      revision,
      '--expected-failures',
      notApplicable(revision),
    ]
    await played(args, (result) => {
      assert.equal(result.code, 0, result.said.slice(-6_000))
      assert.match(result.said, /Baseline check passed/)
      assert.match(result.said, /✓ tools-call-with-progress: [1-9]/)
      if (revision === '2026-07-28') holdsPartly(result)
    })
  })
}

/** With the number of checks that have to pass at least, so that a scenario which tried nothing does not count. */
const CLIENT: readonly [scenario: string, revision: string, most: number][] = [
  ['tools_call', '2026-07-28', 2],
  ['request-metadata', '2026-07-28', 5],
  ['http-standard-headers', '2026-07-28', 3],
  ['http-custom-headers', '2026-07-28', 17],
  ['http-invalid-tool-headers', '2026-07-28', 12],
  ['json-schema-ref-no-deref', '2026-07-28', 1],
  ['initialize', '2025-11-25', 1],
  ['tools_call', '2025-11-25', 2],
]

for (const [scenario, revision, least] of CLIENT) {
  test(`our client of other people’s servers passes ${scenario} of ${revision}`, async () => {
    const relay = `${process.execPath} ${import.meta.dirname}/conformance/relay.mjs ${driver.port}`
    await played(
      ['client', '--command', relay, '--scenario', scenario, '--spec-version', revision],
      ({ code, said }) => {
        const [, passed] = /Passed: (\d+)\/\d+, 0 failed/.exec(said) ?? []
        assert.equal(code, 0, said.slice(-4_000))
        assert.ok(Number(passed) >= least, said.slice(-4_000))
      },
    )
  })
}

const CLIENT_OF_2025 = `
  import { Client } from '@modelcontextprotocol/sdk/client/index.js'
  import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
  const client = new Client({ name: 'of-2025', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(process.argv[1])))
  const { tools } = await client.listTools()
  const called = await client.callTool({ name: 'test_simple_text', arguments: {} })
  const heard = []
  await client.callTool({ name: 'test_tool_with_progress', arguments: {} }, undefined, { onprogress: ({ progress }) => heard.push(progress) })
  console.log(JSON.stringify({ many: tools.length, text: called.content[0].text, heard }))
  await client.close()`

test('the official client of 2025 lists, calls and hears of progress', async () => {
  const { code, said } = await clientOf2025(CLIENT_OF_2025, [fixture.url])
  assert.equal(code, 0, said)
  const { many, text, heard } = JSON.parse(said)
  assert.deepEqual([many, text, heard], [8, 'This is a simple text response for testing.', [0, 50, 100]])
})
