import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { gzipSync } from 'node:zlib'

const sizeOf = (name: string): number =>
  gzipSync(readFileSync(path.join(import.meta.dirname, '../dist', name)), { level: 9 }).length

test('what a page loads, both languages and all, is at most 12 KiB on the wire', () => {
  const size = sizeOf('service-assistant.js')
  assert.ok(size <= 12 * 1024, `${size} bytes`)
})

test('what it loads when its window opens is at most 4 KiB', () => {
  const size = sizeOf('service-assistant-more.js')
  assert.ok(size <= 4 * 1024, `${size} bytes`)
})
