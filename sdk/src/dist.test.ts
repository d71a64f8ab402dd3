// What an integrator installs: on an old Node, from `node_modules`, without a compiler.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'

const SDK = path.join(import.meta.dirname, '..')
const SCRIPT = `
  import { mintCustomerToken, verifySignature } from '@tether/sdk'
  const checked = await verifySignature({ secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', headers: {}, body: '{}' })
  const token = await mintCustomerToken({ key: 'tck_${'a'.repeat(48)}', tenantId: 1, customerId: 'c', lifetimeSeconds: 60 })
  console.log(checked.reason, token.split('.').length)`

test('it is loaded from node_modules as any package is, by a Node that reads no TypeScript', (t) => {
  const project = mkdtempSync(path.join(tmpdir(), 'tether-integrator-'))
  t.after(() => rmSync(project, { recursive: true, force: true }))
  cpSync(SDK, path.join(project, 'node_modules/@tether/sdk'), { recursive: true })
  const args = ['--no-experimental-strip-types', '--input-type=module', '-e', SCRIPT]
  assert.equal(execFileSync(process.execPath, args, { cwd: project, encoding: 'utf8' }), 'signature_missing 3\n')
})
