// The life of one business, as docs/providers.md tells it: its commands, pasted into a shell one after another.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import test from 'node:test'
import { promisify } from 'node:util'
import { openHouse } from '../../../testkit/house.ts'

const ROOT = path.resolve(import.meta.dirname, '../../../..')
const missing = ['bash', 'curl', 'jq'].filter((name) => !['/bin', '/usr/bin'].some((at) => existsSync(`${at}/${name}`)))
const skip = missing.length === 0 ? false : `there is no ${missing.join(' and no ')}`

test('the commands of the page work when they are pasted', { skip }, async () => {
  const page = readFileSync(path.join(ROOT, 'docs/providers.md'), 'utf8')
  const blocks = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block)
  assert.ok(blocks.length >= 8)
  // A refusal ends the script, and what each command says is told apart.
  const script = blocks.map((block) => block.replaceAll('curl -s ', 'curl -sS --fail-with-body ')).join('\necho\n')
  await using house = await openHouse({ settings: { 'Mail:Transport': 'console' } })
  await house.app.server.listen({ host: '127.0.0.1', port: 0 })
  const { tenantId, apiKey } = await house.tenant('Software House')
  const { port } = house.app.server.server.address() as AddressInfo
  const env = {
    PATH: process.env.PATH,
    TETHER_BASE_URL: `http://127.0.0.1:${port}`,
    OPERATOR_KEY: house.operatorKey,
    ID: String(tenantId),
    TETHER_API_KEY: apiKey,
  }
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], { env, timeout: 60_000 })
  for (const said of [
    '"catalog",\n    "events_webhook"',
    '"kind":"agent"',
    '"unchanged"',
    '"accepted":true',
    '"totals"',
    '"deleted":true',
  ])
    assert.ok(stdout.includes(said), `${said} in ${stdout}`)
})
