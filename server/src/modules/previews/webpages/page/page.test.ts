import assert from 'node:assert/strict'
import { test } from 'node:test'
import { longestShare } from '../../../../../testkit/processor.ts'
import { atOnce } from '../../../../kernel/json/index.ts'
import { textOf } from './prose.ts'
import { readPage } from './read-page.ts'
import { withoutRepeated } from './repeated.ts'

const LONG = 'We make mugs by hand in Tbilisi, and send them wherever you are. '.repeat(5).trim()

const proseOf = async (html: string): Promise<string> =>
  textOf((await readPage(html, 'https://shop.com/', false)).prose)

test('what the page is about stays, with its headings; menus, footers, notices and what nobody sees go', async () => {
  const html = `<nav>Menu</nav><header>Top</header><main><h1>Mugs</h1><p>${LONG}</p><h2>Opening hours</h2><table><tr><td>Monday</td><td>9 to 18</td></tr></table>
    <h2>Empty</h2><h2>Related stories</h2><ul><li><a href="/1">One</a></li><li><a href="/2">Two</a></li></ul>
    <div class="cookie-banner">We use cookies.</div><p style="display:none">Hidden</p><noscript>Switch it on</noscript></main><aside>Aside</aside><footer>© Shop</footer>`
  assert.equal(await proseOf(html), `# Mugs\n\n${LONG}\n\n## Opening hours\n\nMonday | 9 to 18`)
})

test('no rule empties a page: neither a class, nor a footer, nor links', async () => {
  assert.equal(await proseOf(`<div class="footer menu">${LONG}</div>`), LONG)
  assert.equal(await proseOf('<footer>Tbilisi, 5 Rustaveli Avenue</footer>'), 'Tbilisi, 5 Rustaveli Avenue')
  assert.equal(await proseOf('<a href="/a">Only a link</a>'), 'Only a link')
  assert.equal(await proseOf('<body hidden><form><p>All of it in a form.</p></form></body>'), 'All of it in a form.')
})

test('an article of most of the page is the page, with what leads up to it', async () => {
  const lead = `${LONG} This leads up to it.`
  const html = `<p>${lead}</p><article><h1>Kiln</h1><p>${LONG}</p><p>${LONG}</p><p>${LONG}</p></article><p>Something else after it.</p>`
  assert.equal(await proseOf(html), [lead, '# Kiln', LONG, LONG, LONG].join('\n\n'))
})

test('titles: for sharing, of the headline, or the longest part', async () => {
  const titled = async (html: string) => (await readPage(html, 'https://shop.com/', false)).head.title
  assert.equal(await titled('<title>Mugs - Shop</title><meta property="og:title" content="All mugs">'), 'All mugs')
  assert.equal(await titled('<title>Mugs | The Shop of Mugs</title><h1>Mugs</h1>'), 'Mugs')
  assert.equal(await titled('<title>All of our mugs | Shop</title><svg><title>Icon</title></svg>'), 'All of our mugs')
  assert.equal(await titled('<h1>Only <b>this</b></h1>'), 'Only this')
})

test('what stands on most of at least four pages is left out, and numbers count where nothing else differs', async () => {
  const prose = async (...paragraphs: string[]) =>
    (await readPage(paragraphs.map((one) => `<p>${one}</p>`).join(''), 'https://shop.com/', false)).prose
  const notice = 'Free delivery from 50 lari.'
  const rooms = await Promise.all(
    [101, 102, 103, 104].map((room) => prose(`Room ${room} costs ${room + 7} lari.`, notice)),
  )
  assert.deepEqual(
    atOnce(withoutRepeated(rooms)).map(textOf),
    [101, 102, 103, 104].map((room) => `Room ${room} costs ${room + 7} lari.`),
  )
  assert.deepEqual(atOnce(withoutRepeated(rooms.slice(1))).map(textOf), rooms.slice(1).map(textOf))
})

test('what repeats is looked for in small steps, however many pieces of text there are', () => {
  const place = { linked: 0, heading: 0, isAside: false, isDoubtful: false, isInArticle: false, isInMain: false }
  const pages = Array.from({ length: 4 }, (_, at) =>
    Array.from({ length: 10_000 }, (_, nth) => ({ ...place, text: `w${at}x${nth * 7919}` })),
  )
  assert.ok(longestShare(() => withoutRepeated(pages)) < 1 / 4)
})
