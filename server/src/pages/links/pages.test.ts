import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { docs } from '../../modules/docs/module.ts'
import { previews } from '../../modules/previews/module.ts'
import type { Route } from '../../tenancy/access/index.ts'
import { frontLinks } from './front-page.ts'
import { LINK_PAGE_WORDS } from './words.ts'

let house: OpenHouse
before(async () => {
  house = await openHouse({ modules: [previews, docs] })
})
after(() => house.close())

const read = (path: string, accept?: string) =>
  house.ask('GET', path, accept === undefined ? {} : { headers: { 'accept-language': accept } })

test('a page speaks the language that was asked for, else the one that the browser prefers', async () => {
  for (const [path, accept, language] of [
    ['/account/confirm', undefined, 'en'],
    ['/account/confirm?lang=ka', 'en', 'ka'],
    ['/account/confirm?lang=ka-GE', undefined, 'ka'],
    ['/account/confirm?lang=fr', 'ka', 'en'],
    ['/account/recover', 'ka-GE,ka;q=0.9,en;q=0.8', 'ka'],
    ['/account/recover', 'fr,en;q=0.8,ka;q=0.7', 'en'],
    ['/account/recover', 'x'.repeat(8000), 'en'],
  ] as const) {
    const { status, text } = await read(path, accept)
    assert.equal(status, 200)
    assert.ok(text.includes(`<html lang="${language}">`), `${path} ${accept?.slice(0, 20)}`)
    const { title, button, outcomes } = LINK_PAGE_WORDS[path.includes('confirm') ? 'confirm' : 'recover'][language]
    for (const said of [title, button, ...Object.values(outcomes).flat()]) assert.ok(text.includes(said), said)
  }
})

test('a page is for the link that it is opened with, whichever of them Signup:VerifyUrl names', async () => {
  for (const [path, purpose] of [
    ['/account/confirm?recover=TOKEN', 'recover'],
    ['/account/recover?confirm=TOKEN&lang=ka', 'confirm'],
    ['/account/confirm?confirm=TOKEN', 'confirm'],
    ['/account/recover?utm_source=mail', 'recover'],
  ] as const) {
    const { status, text } = await read(path)
    assert.equal(status, 200)
    assert.ok(text.includes(`data-purpose="${purpose}"`), path)
    assert.ok(!text.includes('TOKEN'))
  }
})

test('a page loads nothing from elsewhere, submits nothing by itself and holds no word of the address', async () => {
  for (const purpose of ['confirm', 'recover']) {
    const { text, headers } = await read(
      `/account/${purpose}?${purpose}=SECRETTOKEN&lang=en"><script>alert(1)</script>`,
    )
    assert.ok(!text.includes('SECRETTOKEN') && !text.includes('alert(1)'))
    assert.ok(!/<form|<iframe|onclick|https?:\/\/|<script>/i.test(text))
    assert.equal(
      headers['content-security-policy'],
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
    assert.equal(headers['referrer-policy'], 'no-referrer')
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal(headers['x-frame-options'], 'DENY')
  }
})

test('both languages say the same things, and Georgian has no capitals', () => {
  for (const { en, ka } of Object.values(LINK_PAGE_WORDS)) {
    assert.deepEqual(Object.keys(ka.outcomes), Object.keys(en.outcomes))
    assert.ok(!/[\u1c90-\u1cbf]/.test(JSON.stringify(ka)))
  }
})

test('the script and the style are served as what they are', async () => {
  const script = await read('/account/link.js')
  assert.match(String(script.headers['content-type']), /^text\/javascript/)
  const style = await read('/account/link.css')
  assert.match(String(style.headers['content-type']), /^text\/css/)
  assert.ok(!/url\(|@import|https?:/.test(style.text))
})

test('the bare address shows a browser a small page, and answers anything else as before', async () => {
  const open = (headers: Record<string, string>, method = 'GET') => house.ask(method, '/', { headers })
  const page = await open({ accept: 'text/html,application/xhtml+xml,*/*;q=0.8' })
  assert.equal(page.status, 200)
  assert.match(String(page.headers['content-type']), /^text\/html/)
  assert.match(String(page.headers['content-security-policy']), /default-src 'none'/)
  assert.match(page.text, /reads run at once, writes wait for a person/)
  for (const path of ['inbox', 'swagger', 'openapi', 'health']) assert.ok(page.text.includes(`href="${path}"`), path)
  assert.ok(!page.text.includes('href="demo"'), 'what this deployment does not have is not offered')
  assert.match((await open({ accept: 'text/html', 'accept-language': 'ka' })).text, /<html lang="ka">/)
  for (const accept of ['*/*', 'application/json', '']) {
    const { status, error } = await open({ accept })
    assert.deepEqual([status, error?.code], [401, 'missing_api_key'], accept)
  }
  assert.equal((await open({ accept: 'text/html' }, 'POST')).status, 401)
  const { apiKey } = await house.tenant()
  const known = await house.ask('GET', '/', { key: apiKey, headers: { accept: '*/*' } })
  assert.equal(known.error?.code, 'not_found')
})

test('the bare address lists the pages that the running routes declare, in their order, and no other', () => {
  const { routes } = house.app
  const paths = (has: readonly Route[], sandboxes = true) => {
    const { settings } = house
    const previewSandbox = { ...settings.previewSandbox, enabled: sandboxes }
    return frontLinks(has, { ...settings, previewSandbox }, 'en').map(({ path }) => path)
  }
  const all = ['/try', '/docs', '/inbox', '/swagger', '/openapi', '/health']
  assert.deepEqual(paths(routes), all)
  assert.deepEqual(paths(routes.toReversed()), all)
  assert.deepEqual(paths(routes, false), all.slice(1), 'sandboxes are turned off')
  for (const path of all)
    assert.deepEqual(
      paths(routes.filter((one) => one.path !== path)),
      all.filter((one) => one !== path),
    )
  for (const { path, onFrontPage, method, reach } of routes)
    if (onFrontPage !== undefined) assert.deepEqual([method, reach.who, /:/.test(path)], ['GET', 'anyone', false], path)
})
