// Every route and every setting that a page names is there, with that spelling.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import test, { after, before } from 'node:test'
import { type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { settingsReference } from '../../kernel/settings/index.ts'
import { MODULES } from '../../modules.ts'
import { PAGES, ROOT } from './fixtures/fences.ts'

const ROUTE = /\b(GET|POST|PUT|PATCH|DELETE) (\/[^\s`?"',)]*)/g
const SETTING = /`([A-Z]\w+(?::[A-Z]\w*)+)(?:=[^`]*)?`/g

let house: OpenHouse
before(async () => {
  house = await openHouse({ modules: MODULES })
})
after(() => house.close())

const read = (page: string): string => readFileSync(path.join(ROOT, page), 'utf8')
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

test('each route that a page names is one', () => {
  const patterns = house.app.routes.map(({ method, path: at }) => ({
    method,
    pattern: new RegExp(`^${escaped(at).replace(/:\w+/g, '[^/]+')}$`),
  }))
  let named = 0
  for (const page of PAGES)
    for (const [whole, method, at = ''] of read(page).matchAll(ROUTE)) {
      named++
      const address = at.replace(/[.:;]$/, '')
      const isRoute = patterns.some((route) => route.method === method && route.pattern.test(address))
      assert.ok(isRoute || address.startsWith('/…'), `${page} names ${whole}, and there is no such route.`)
    }
  assert.ok(named > 300, String(named))
})

test('each setting that a page names is one, or a section of them', () => {
  const reference = `${settingsReference('service')}${settingsReference('assistant')}`
  const names = [...reference.matchAll(/^\| `([\w:]+)` \|/gm)].map(([, name = '']) => name)
  const known = new Set(
    names.flatMap((name) => name.split(':').map((_, at, parts) => parts.slice(0, at + 1).join(':'))),
  )
  assert.ok(known.size > 150, String(known.size))
  for (const page of PAGES)
    for (const [, name = ''] of read(page).matchAll(SETTING))
      assert.ok(known.has(name), `${page} names ${name}, and there is no such setting.`)
})
