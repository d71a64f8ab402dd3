// What the command says to an operator who has mistyped it, before it opens anything.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { endOf } from './move-tenant.ts'

const START = path.join(import.meta.dirname, '../../start.mjs')

test('whoever mistypes the command reads what is wrong in the first line, and nothing is begun', (t) => {
  const cwd = mkdtempSync(path.join(tmpdir(), 'tether-move-'))
  t.after(() => rmSync(cwd, { recursive: true, force: true }))
  const run = (words: string) => {
    const args = [START, 'move-tenant', ...words.split(' ').filter(Boolean)]
    const env = { PATH: process.env.PATH }
    const { status, stderr } = spawnSync(process.execPath, args, { cwd, env, encoding: 'utf8', timeout: 240_000 })
    return [status, stderr.split('\n')[0]] as const
  }
  for (const [words, line] of [
    ['', 'Say which tenant (--tenant ID), and where it goes (--to NAME).'],
    ['--tenant 7', 'Say where the tenant goes (--to NAME), or --cancel.'],
    ['--tenant 7 --to two --cancel', 'Give one of --to, --cancel and --drop-from, and not several.'],
    ['--tenant 7 --to two --drop-from one', 'Give one of --to, --cancel and --drop-from, and not several.'],
    [
      '--tenant 7 --to two',
      'The settings of this process know one database. A tenant moves between several: run this with all the settings of the service, of which Database:Shards names the others.',
    ],
  ] as const) {
    assert.deepEqual(run(words), [2, line], words)
  }
})

test('an earlier move that is finished is not taken for the one that was asked for', () => {
  const moved = { from: 'two', to: 'first', pauseMs: null }
  assert.deepEqual(endOf({ tenantId: 7, to: 'first', moved }), {
    said: 'Tenant 7 has moved from "two" to "first".',
    complaint: null,
  })
  assert.equal(
    endOf({ tenantId: 7, to: 'two', moved }).complaint,
    'It is not in "two". Run this again to move it there.',
  )
  assert.equal(endOf({ tenantId: 7, to: 'two', moved: null }).said, 'Tenant 7 is in "two" already.')
})
