// The receiver of docs/events.md, as it stands there, takes a real delivery.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import test from 'node:test'
import { freePort } from '../../../../scripts/free-port.ts'
import { openScene, reject, staged } from './fixtures/shop.ts'

const ROOT = path.join(import.meta.dirname, '../../../..')

function receiverOf(page: string, port: number): string {
  const code = /```js\n([\s\S]+?)```/.exec(page)?.[1] ?? assert.fail('the page has no receiver')
  assert.ok(code.trim().split('\n').length <= 12, 'ten lines or so')
  const listens = code.replace('.listen(3001)', `.listen(${port}, '127.0.0.1', () => console.log('listening'))`)
  assert.notEqual(listens, code)
  // Its claims are kept in memory here, which is another line of the same package.
  const claimed = listens.replaceAll(/postgresClaims(\(pool\))?/g, (_, call) => `memoryClaims${call ? '()' : ''}`)
  assert.notEqual(claimed, listens)
  return claimed
}

test('the receiver of the documents verifies a delivery, takes it once, and refuses what is not ours', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'tether-receiver-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/`
  writeFileSync(
    path.join(folder, 'receiver.mjs'),
    receiverOf(readFileSync(path.join(ROOT, 'docs/events.md'), 'utf8'), port),
  )
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'))
  const scene = await openScene(t)
  const shop = await scene.shop(url)
  const child = spawn(process.execPath, [path.join(folder, 'receiver.mjs')], {
    env: { PATH: process.env.PATH, TETHER_SIGNING_SECRET: shop.signingSecret },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => child.kill())
  let said = ''
  child.stdout.on('data', (text: Buffer) => {
    said += text.toString()
  })
  for (let turn = 0; turn < 6_000 && !said.includes('listening'); turn++)
    await new Promise((resolve) => setTimeout(resolve, 10))
  const actionId = await staged(scene, shop)
  await reject(scene, shop, actionId)
  await scene.deliver()
  const attempts = await scene.attempts(shop)
  assert.deepEqual(
    attempts.map(({ delivered, statusCode }) => [delivered, statusCode]),
    [
      [true, 204],
      [true, 204],
    ],
  )
  const forged = await fetch(url, {
    method: 'POST',
    body: '{"request_id":"evt_1"}',
    headers: { 'x-service-signature': 'sha256=00' },
  })
  assert.equal(forged.status, 401)
  assert.deepEqual(said.trim().split('\n'), ['listening', `action.pending ${actionId}`, `action.rejected ${actionId}`])
})
