import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { gzipSync } from 'node:zlib'

test('the whole widget, both languages and all, is at most 12 KiB on the wire', () => {
  const bundle = readFileSync(path.join(import.meta.dirname, '../dist/service-assistant.js'))
  const size = gzipSync(bundle, { level: 9 }).length
  assert.ok(size <= 12 * 1024, `${size} bytes`)
})
