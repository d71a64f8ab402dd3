import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { ERRORS } from './errors.ts'

test('the page of errors says of every code what happened and what to do', () => {
  const page = readFileSync(new URL('../../docs/reference/errors.md', import.meta.url), 'utf8')
  const rows = new Map(
    [...page.matchAll(/^\| `(\w+)` \| (\d{3}) \|(.*)\|$/gm)].map(([, code, status, rest = '']) => [
      code,
      { status, rest },
    ]),
  )
  for (const [code, status] of Object.entries(ERRORS)) {
    const row = rows.get(code)
    assert.equal(row?.status, String(status), code)
    const cells = (row?.rest ?? '').split(' | ').map((cell) => cell.trim())
    assert.equal(cells.length, 2, code)
    for (const cell of cells) assert.match(cell, /^[A-Z`].{10,}[.)]$/, `${code}: ${cell}`)
  }
})
