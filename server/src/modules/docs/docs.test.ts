// The documents as they are served: every link and anchor is followed, and nothing of a page becomes markup.
import assert from 'node:assert/strict'
import { existsSync, globSync } from 'node:fs'
import path from 'node:path'
import test, { after, before } from 'node:test'
import { ERRORS } from '@tether/contract'
import { type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { MODULES } from '../../modules.ts'
import { docsFiles } from './index.ts'
import { renderMarkdown } from './render.ts'
import type { Found } from './search.ts'
import { openSite } from './site.ts'

const ROOT = path.join(import.meta.dirname, '../../../..')
/** Deployments may stand below a path. */
const ORIGIN = 'http://127.0.0.1:8787'

let house: OpenHouse
before(async () => {
  house = await openHouse({ modules: MODULES })
})
after(() => house.close())

const fetched = async (address: string, headers: Record<string, string> = {}) => {
  const {
    statusCode,
    headers: answered,
    body,
  } = await house.app.server.inject({ method: 'GET', url: address, headers })
  return {
    status: statusCode,
    type: String(answered['content-type']),
    policy: String(answered['content-security-policy']),
    body,
  }
}

const all = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, found = '']) => found.replaceAll('&amp;', '&'))

test('every page of docs/ is served, as HTML and as Markdown, and the README first', async () => {
  const pages = await openSite().all()
  assert.equal(pages[0]?.file, 'README.md')
  const files = pages.map(({ file }) => file)
  assert.deepEqual(
    globSync('docs/**/*.md', { cwd: ROOT }).filter((file) => !files.includes(file)),
    [],
  )
  assert.equal(new Set(pages.map(({ address }) => address)).size, pages.length)
  for (const { address, title, rendered, file } of pages) {
    const page = await fetched(address)
    assert.deepEqual([page.status, page.type], [200, 'text/html; charset=utf-8'], address)
    assert.match(page.policy, /default-src 'none'.*trusted-types 'none'/)
    assert.ok(Buffer.byteLength(page.body) < 60 * 1024, `${file} weighs ${Buffer.byteLength(page.body)} bytes`)
    assert.deepEqual([rendered.title, title === ''], [title, false], file)
    const markdown = await fetched(`${address}.md`)
    assert.deepEqual([markdown.status, markdown.type], [200, 'text/markdown; charset=utf-8'], address)
  }
})

test('every link and anchor of every page leads somewhere, and none to another host that a browser would load', async () => {
  const { pages } = openSite()
  const seen = new Map<string, { status: number; ids: Set<string> }>()
  const at = async (address: string) => {
    const found = seen.get(address)
    if (found !== undefined) return found
    const { status, body } = await fetched(address, { accept: 'text/html' })
    const made = { status, ids: new Set(all(body, /\sid="([^"]+)"/g)) }
    assert.equal(made.ids.size, all(body, /\sid="([^"]+)"/g).length, `${address} has an id twice`)
    seen.set(address, made)
    return made
  }
  let followed = 0
  for (const { address } of pages) {
    const { body } = await fetched(address)
    for (const loaded of all(body, /<(?:script|img|link)[^>]*\s(?:src|href)="([^"]*)"/g))
      assert.ok(
        loaded.startsWith('data:') || new URL(loaded, ORIGIN + address).origin === ORIGIN,
        `${address}: ${loaded}`,
      )
    for (const link of all(body, /\s(?:href|src|action)="([^"]*)"/g)) {
      const to = new URL(link, ORIGIN + address)
      if (to.origin !== ORIGIN || to.protocol === 'data:') continue
      const { status, ids } = await at(to.pathname + to.search)
      assert.equal(status, 200, `${address}: ${link}`)
      const anchor = decodeURIComponent(to.hash.slice(1))
      assert.ok(anchor === '' || ids.has(anchor), `${address}: ${link} names no place of that page`)
      followed++
    }
  }
  assert.ok(followed > 1000, String(followed))
})

test('the links of the Markdown lead to Markdown', async () => {
  const pages = await openSite().all()
  const byAddress = new Set(pages.map(({ address }) => `${address}.md`))
  for (const { address, markdown } of pages) {
    let isCode = false
    for (const line of markdown.split('\n')) {
      if (/^\s*```/.test(line)) isCode = !isCode
      if (isCode) continue
      for (const link of all(line.replace(/`[^`]*`(?!\])/g, ''), /\]\(([^)\s]+)\)/g)) {
        const to = new URL(link, `${ORIGIN}${address}.md`)
        if (to.origin !== ORIGIN || to.pathname === '/docs/demo.png' || to.pathname === '/docs/source') continue
        assert.ok(byAddress.has(to.pathname), `${address}.md: ${link}`)
      }
    }
  }
})

test('each code of an error is a place that can be linked to, with what happened and what to do', async () => {
  const { body } = await fetched('/docs/reference/errors')
  for (const code of Object.keys(ERRORS)) assert.match(body, new RegExp(`<tr id="${code}">`), code)
  const found = async (q: string): Promise<readonly Found[]> => {
    const { body: answer } = await fetched(`/docs/search?q=${encodeURIComponent(q)}`, { accept: 'application/json' })
    return (JSON.parse(answer) as { found: Found[] }).found
  }
  for (const code of Object.keys(ERRORS)) {
    const [first] = await found(code)
    assert.equal(first?.address, `/docs/reference/errors#${code}`)
  }
  assert.equal(
    (await found('AI:Approvals:Expiry:Low'))[0]?.address,
    '/docs/reference/settings-assistant#AI:Approvals:Expiry:Low',
  )
  assert.deepEqual(await found('no page has zyxwv'), [])
})

test('the search works as a form, says when it finds nothing, and shows what was asked as text', async () => {
  const found = await fetched('/docs/search?q=staged+write')
  assert.match(found.body, /<ol class="results"><li><a href="/)
  const hostile = await fetched(`/docs/search?q=${encodeURIComponent('"><script>alert(1)</script>')}`)
  assert.match(hostile.body, /No page has all of these words/)
  assert.ok(!hostile.body.includes('<script>alert'))
  assert.equal((await fetched('/docs/search')).status, 200)
  assert.equal((await fetched(`/docs/search?q=${'a'.repeat(201)}`)).status, 400)
})

test('every link of a page as Markdown leads somewhere, too', async () => {
  const dead: string[] = []
  const seen = new Map<string, Promise<{ status: number }>>()
  for (const { address } of openSite().pages.values()) {
    const { body } = await fetched(`${address}.md`)
    const text = body.replace(/^(```|~~~)[\s\S]*?^\1/gm, '').replace(/`[^`\n]*`/g, 'code')
    for (const [, href = ''] of text.matchAll(/\]\(\s*<?([^)\s>]+)/g)) {
      const to = new URL(href, `https://docs.example${address}.md`)
      if (to.host !== 'docs.example') continue
      const asked = to.pathname + to.search
      seen.set(asked, seen.get(asked) ?? fetched(asked))
      if ((await seen.get(asked))?.status !== 200) dead.push(`${address}.md: ${href}`)
    }
  }
  assert.deepEqual(dead, [])
  assert.ok(seen.size > 40, String(seen.size))
})

test('a page that is not there says so, and no other file of the machine is served', async () => {
  const { body, status } = await fetched('/docs/no-such-page')
  assert.equal(status, 404)
  assert.match(body, /There is no such page/)
  assert.equal((await fetched('/docs/no-such-page.md')).status, 404)
  for (const file of ['package.json', '../../etc/passwd', '/etc/passwd', 'file:///etc/passwd', 'docs', '']) {
    const answer = await fetched(`/docs/source?file=${encodeURIComponent(file)}`)
    assert.equal(answer.status, 404, file)
  }
  const source = await fetched('/docs/source?file=sdk/example/server.mjs')
  assert.deepEqual([source.status, source.type], [200, 'text/plain; charset=utf-8'])
})

test('programs find all pages in /llms.txt, and what an integrator needs in one bounded text', async () => {
  const { pages } = openSite()
  const list = await fetched('/llms.txt')
  for (const { address } of pages) assert.ok(list.body.includes(`${address}.md): `), address)
  const whole = await fetched('/llms-full.txt')
  assert.ok(whole.body.includes('# Staged writes') && !whole.body.includes('V1.1.1'))
  assert.ok(whole.body.length < 400_000, String(whole.body.length))
})

test('whatever stands in Markdown, nothing of it becomes markup', () => {
  const hostile = [
    '# <img src=x onerror=alert(1)>',
    '<script>alert(1)</script>',
    'a <b onclick="x">b</b> `<i>` ![<u>](p.png "t") [<s>](l "<s>")',
    '| `<q>` | a |\n|---|---|\n| <em>x</em> | &lt; |',
    '- <div>\n  <form>',
    '```"><b>\n</code></pre><script>\n```',
  ].join('\n\n')
  const { head, body } = renderMarkdown(hostile, (href) => href)
  const tags = all(head.text + body.text, /<([a-z][a-z0-9]*)/g)
  for (const tag of ['script', 'b', 'u', 's', 'q', 'div x', 'form', 'i'])
    assert.ok(!tags.includes(tag), `${tag}: ${body.text}`)
  assert.ok(!/<[^>]*\son[a-z]+=/.test(head.text + body.text))
})

test('the bundle takes along every page and no code; what is not there is named and not linked', async () => {
  const files = await docsFiles()
  assert.deepEqual(
    files.filter((file) => !existsSync(path.join(ROOT, file))),
    [],
  )
  assert.ok(files.includes('README.md') && files.includes('sdk/README.md'))
  assert.deepEqual(
    files.filter((file) => !file.endsWith('.md')),
    [],
  )
  const { body } = renderMarkdown('[code](gone.ts) ![a picture](gone.png)', () => null)
  assert.equal(String(body), '<p>code a picture</p>')
})

test('pages and files are compressed, have a tag, and are confirmed without a body', async () => {
  for (const url of [
    '/docs',
    '/docs/docs.css',
    '/docs/docs.js',
    '/swagger/style.css',
    '/account/link.css',
    '/try/try.js',
  ]) {
    const ask = (headers: Record<string, string>) => house.app.server.inject({ method: 'GET', url, headers })
    const whole = await ask({ 'accept-encoding': 'br' })
    assert.deepEqual([whole.statusCode, whole.headers['content-encoding']], [200, 'br'], url)
    const again = await ask({ 'if-none-match': String(whole.headers.etag) })
    assert.deepEqual([again.statusCode, again.body], [304, ''], url)
    const head = await house.app.server.inject({ method: 'HEAD', url })
    assert.deepEqual([head.statusCode, head.body, head.headers.etag], [200, '', whole.headers.etag], url)
  }
})

test('a page that is not there is a 404 even for a caller with a copy', async () => {
  const answer = await house.app.server.inject({ method: 'GET', url: '/docs/a/b', headers: { 'if-none-match': '*' } })
  assert.equal(answer.statusCode, 404)
})
