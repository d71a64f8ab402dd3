// Walks over every page and every form of the console. It finds them by itself, so that a new one cannot be forgotten.
import assert from 'node:assert/strict'
import test from 'node:test'
import { PageBrowser } from '../../../testkit/page-browser.ts'
import { formsIn } from '../../../testkit/page-forms.ts'
import { listenTo } from '../../../testkit/statements.ts'
import { MODULES } from '../../modules.ts'
import { CATALOG, running, set, workspace } from './fixtures/owner.ts'
import { consolePages } from './pages.ts'

const ofConsole = () => set.house.app.routes.filter(({ path }) => path === '/console' || path.startsWith('/console/'))
const pages = () => ofConsole().filter(({ method, answers }) => method === 'GET' && answers[200]?.text === 'text/html')
const forms = () => ofConsole().filter(({ method }) => method === 'POST')
/** Whatever stands in a path, for whoever may not see it: nothing may depend on its being there. */
const concrete = (path: string): string => path.replace(/:\w+/g, 'x')

/** These only read, and find out who asks. */
const READS = new Set(['access.find_console'])

test('every form refuses a foreign Origin, a foreign site, and a missing or foreign token, and does nothing', async () => {
  const { browser } = await workspace()
  const stranger = (await workspace()).browser
  const own = browser.hidden().token ?? assert.fail('no token')
  const foreign = stranger.hidden().token ?? assert.fail('no token')
  const unsigned = new PageBrowser(set.house)
  await unsigned.get('/console')
  const tries: [string, string, Record<string, string>][] = [
    ['a foreign origin', own, { origin: 'https://evil.example' }],
    ['no origin to name', own, { origin: 'null' }],
    ['another site', own, { 'sec-fetch-site': 'cross-site' }],
    ['a sister site', own, { 'sec-fetch-site': 'same-site' }],
    ['no token', '', {}],
    ['the token of somebody else', foreign, {}],
    ['the token of the way in', unsigned.hidden().token ?? '', {}],
  ]
  const inside = forms().filter(({ lane }) => lane === 'none')
  assert.ok(inside.length > 0)
  const ran: string[] = []
  listenTo(set.house, (name) => ran.push(name))
  for (const { path } of inside) {
    for (const [what, token, headers] of tries) {
      ran.length = 0
      const { status } = await browser.post(concrete(path), { token }, headers)
      assert.equal(status, 403, `${path}: ${what}`)
      assert.deepEqual(
        ran.filter((name) => !READS.has(name)),
        [],
        `${path}: ${what}`,
      )
    }
  }
  for (const { path } of forms().filter(({ lane }) => lane !== 'none')) {
    for (const [what, token, headers] of tries.slice(0, 6)) {
      const fresh = new PageBrowser(set.house)
      await fresh.get('/console')
      const sent = what === 'no token' || token === foreign ? token : (fresh.hidden().token ?? '')
      assert.equal((await fresh.post(path, { token: sent }, headers)).status, 403, `${path}: ${what}`)
    }
  }
})

/** The pages of a workspace in which there is something to see, each at its address. */
async function seen() {
  const { browser, ask, stage } = await running()
  await stage('A-1')
  await ask('PUT', '/v1/tools', CATALOG.slice(0, 1))
  await ask('PUT', '/v1/tools', CATALOG)
  await ask('PUT', '/v1/users', [{ displayName: 'Ana', email: 'ana@shop.example', role: 'manager' }])
  const { sessionId } = (await ask<{ sessionId: string }>('POST', '/v1/chat', { prompt: 'Where is order A-1?' })).body
  await ask('POST', '/v1/knowledge', { name: 'returns.md', text: '# Returns\n\nYou get your money back in 3 days.' })
  await browser.get('/console/import')
  const declarable = { '/orders': { get: { summary: 'Lists orders.' } } }
  const document = JSON.stringify({ openapi: '3.1.0', info: { title: 'Shop', version: '1' }, paths: declarable })
  await browser.post('/console/import/draft', { document, baseUrl: 'https://api.shop.example' })
  await ask('POST', '/v1/domain-pack/suggestions', { lexicon: { returns: ['money back'] } })
  const waiting = (await ask<{ actions: { actionId: string }[] }>('GET', '/v1/actions')).body.actions
  const asked: Readonly<Record<string, string>> = {
    '/console/catalog': '?from=2&to=3',
    '/console/people': `?trial=${waiting[0]?.actionId}`,
    '/console/outcomes': '?days=90',
    '/console/knowledge': '?document=returns.md&q=When+do+I+get+my+money+back',
  }
  const paths = pages().map(({ path }) => path.replace(':sessionId', sessionId) + (asked[path] ?? ''))
  return { browser, paths }
}

test('every form is a form of a page, and every form of a page has a route and a token', async () => {
  const { browser, paths } = await seen()
  const known = new Set(forms().map(({ path }) => path))
  for (const path of paths) {
    const { text, status } = await browser.get(path)
    assert.equal(status, 200, path)
    for (const [form, action = ''] of text.matchAll(/<form method="post" action="([^"]*)"[\s\S]*?<\/form>/g)) {
      const isKnown = [...known].some((one) => new RegExp(`^${one.replace(/:\w+/g, '[^/]+')}$`).test(action))
      assert.ok(isKnown, `${path}: nothing takes ${action}`)
      assert.match(form, /name="token" value="[\w-]+"/, `${path}: ${action}`)
    }
    assert.ok(Buffer.byteLength(text) < 60 * 1024, `${path} weighs ${Buffer.byteLength(text)} bytes`)
  }
})

test('every page says which of its fields hold secrets, so that what is typed there is kept nowhere', async () => {
  const { browser, paths } = await seen()
  const fresh = await workspace()
  // Nothing is asked of them here.
  const ofModules = MODULES.flatMap((one) => one.describe([]).pages)
  const declared = consolePages({} as never, {} as never, ofModules)
  let count = 0
  for (const [reader, path] of [
    ...paths.map((one) => [browser, one] as const),
    [fresh.browser, '/console/import'] as const,
  ]) {
    const { text } = await reader.get(path)
    const page = declared.find(({ path: own }) => new RegExp(`^${own.replace(/:\w+/g, '[^/]+')}(?:\\?|$)`).test(path))
    for (const [, name = ''] of text.matchAll(/<input [^>]*name="(\w+)" type="password"/g)) {
      count++
      assert.ok(page?.secrets?.includes(name), `${path}: ${name}`)
    }
  }
  assert.ok(count >= 4, `${count} fields`)
})

test('a form that comes without one of its fields changes nothing, and says which field it was', async () => {
  const { browser, paths } = await seen()
  // Without a draft the page of imports asks for a document.
  const fresh = await workspace()
  const looks = [...paths.map((path) => ({ browser, path })), { browser: fresh.browser, path: '/console/import' }]
  const ran = new Set<string>()
  listenTo(set.house, (name) => ran.add(name))
  const tried = new Set<string>()
  for (const { browser: reader, path } of looks) {
    const { text } = await reader.get(path)
    ran.clear()
    await reader.get(path.split('?')[0] ?? path)
    const reads = new Set(ran)
    for (const { sentTo, fields, radios } of formsIn(text)) {
      for (const action of sentTo) {
        for (const name of Object.keys(fields)) {
          // Of radio buttons none need be chosen, and what is not chosen stays as it is. The token is looked at by the walk above.
          if (name === 'token' || name in radios || tried.has(`${action} ${name}`)) continue
          tried.add(`${action} ${name}`)
          const { [name]: _, ...others } = { ...radios, ...fields }
          ran.clear()
          const refused = await reader.send(action, others)
          const what = `${action} without ${name}`
          assert.equal(refused.status, 400, what)
          assert.ok(refused.text.includes(`without its field “${name}”`), what)
          assert.deepEqual(
            [...ran].filter((one) => !reads.has(one)),
            [],
            what,
          )
        }
      }
    }
  }
  const withFields = forms().filter(({ path }) =>
    [...tried].some((one) => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')} `).test(one)),
  )
  assert.ok(withFields.length > 20, [...tried].join(', '))
})

test('what came without its field stands on the page as it is set, so that the next press clears nothing', async () => {
  const { browser } = await running()
  const { text } = await browser.get('/console/endpoint')
  const url = /id="url" name="url" type="url" value="([^"]+)"/.exec(text)?.[1] ?? assert.fail('no address is set')
  const { token = '' } = browser.hidden()
  assert.ok((await browser.send('/console/endpoint/save', { token })).text.includes(`value="${url}"`))
  await browser.get('/console?lang=ka')
  assert.match((await browser.send('/console/endpoint/save', { token })).text, /ფორმას აკლდა ველი „url“/)
})

test('no page is seen without a session, framed, run by anybody else, or told to another host', async () => {
  const { browser } = await workspace()
  for (const { path } of pages()) {
    const stranger = new PageBrowser(set.house)
    const { text, status } = await stranger.get(concrete(path))
    assert.equal(status, 200, path)
    assert.match(text, /action="\/console\/enter"/, path)
    const { headers } = await browser.get(concrete(path))
    assert.match(String(headers['content-security-policy']), /^default-src 'none'; script-src 'self'; style-src 'self'/)
    assert.match(
      String(headers['content-security-policy']),
      /frame-ancestors 'none'; require-trusted-types-for 'script'/,
    )
    assert.equal(headers['referrer-policy'], 'same-origin', path)
    assert.doesNotMatch(browser.page.text, /<script(?! src="\/)|style=|\son\w+=|(?:src|href)="(?:https?:)?\/\//, path)
  }
})

test('what the address of a page asks and the page does not know is said on it, in both languages, and nothing is shown instead', async () => {
  const { browser } = await running()
  const wrong = [
    ...[
      '/console/waiting?status=lost',
      '/console/waiting?before=x',
      '/console/audit?event=lost',
      '/console/audit?action=x',
    ],
    ...['/console/audit?before=x', '/console/audit/audit.csv?event=lost', '/console/conversations?rating=best'],
    ...['/console/conversations?handedOff=maybe', '/console/outcomes?days=15', '/console/catalog?from=x&to=2'],
    ...['/console/events?failed=maybe', '/console/events?before=0', '/console/vocabulary?status=lost'],
    ...['/console/import?state=lost', '/console/import?page=0', '/console/people?trial=x'],
  ]
  // These a verb refuses.
  const dates = [
    '/console/audit?from=yesterday',
    '/console/conversations?to=2026-02-30',
    '/console/audit/audit.csv?to=x',
  ]
  for (const address of [...wrong, ...dates]) {
    const english = await browser.get(`${address}&lang=en`)
    assert.equal(english.status, 400, address)
    assert.match(String(english.headers['content-type']), /^text\/html/, address)
    assert.match(
      english.text,
      /role="alert"[\s\S]*<code>invalid_request<\/code>[\s\S]*The page without filters<\/a>/,
      address,
    )
    assert.doesNotMatch(english.text, /<tbody>/, address)
    assert.match((await browser.get(`${address}&lang=ka`)).text, /გვერდი ფილტრების გარეშე<\/a>/, address)
  }
  const asked = [...new Set(wrong.map((address) => address.split('?')[0]))]
  assert.match(
    (await browser.get('/console/waiting?status=lost&lang=en')).text,
    /It knows: <code>pending<\/code>, <code>indeterminate<\/code>/,
  )
  for (const page of asked)
    assert.equal((await browser.get(`${page}?status=&event=&rating=&days=&state=`)).status, 200, page)
})

test('no page asks the database more than twelve times', async () => {
  const { browser, paths } = await seen()
  const ran: string[] = []
  listenTo(set.house, (name) => ran.push(name))
  for (const path of paths) {
    ran.length = 0
    const { status } = await browser.get(path)
    assert.equal(status, 200, path)
    assert.ok(ran.includes('access.find_console'), 'what is counted is heard')
    assert.ok(ran.length <= 12, `${path} asks ${ran.length} times: ${ran.join(', ')}`)
  }
})
