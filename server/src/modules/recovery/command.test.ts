// What `npm run recover` says of a workspace that it cannot ask.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { fillDataDirectory, SHORT_LIVED } from '../../../testkit/data-directory.ts'

const START = path.join(import.meta.dirname, '../../../start.mjs')

test('a workspace that is named and cannot be asked is not said to have lost nothing', async (t) => {
  const directory = mkdtempSync(path.join(tmpdir(), 'tether-recover-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  await fillDataDirectory(directory)
  const env = {
    PATH: process.env.PATH,
    Database__DataDirectory: directory,
    Encryption__Key: randomBytes(32).toString('base64'),
  }
  const args = [...SHORT_LIVED, START, 'recover', '--since', '2026-11-23T09:30:00Z', '--tenant', '77']
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8', timeout: 240_000 })
  assert.deepEqual([status, stdout], [2, ''], stderr)
  assert.match(stderr, /^Workspace 77 was not asked: there is no workspace of this id, or it has no endpoint\.$/m)
  assert.match(stderr, /^1 workspace could not be compared, or not wholly\.$/m)
})
