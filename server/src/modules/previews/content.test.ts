import assert from 'node:assert/strict'
import test from 'node:test'
import type { Passage } from '../../talk/chat/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import { openContent, packReading, textOfItem } from './content.ts'
import type { SiteItem } from './crawl/index.ts'
import { SITE } from './fixtures/scripted-site.ts'
import { passagesFor, withPreviews } from './retrieval.ts'

const CUT = { chunkChars: 900, chunkOverlapChars: 120 }
const page = (text: string, title = 'Delivery') => ({ url: `${SITE}/delivery`, title, text, isFeed: false })
const item: SiteItem = {
  url: `${SITE}/lamps/heron`,
  name: 'Heron lamp',
  description: null,
  price: '1 189,00',
  currency: 'GEL',
  availability: 'Sold out until May',
  image: null,
  from: 'json-ld',
}

const held = async (pages: ReturnType<typeof page>[], items: SiteItem[] = []) => {
  const { content, segment } = await packReading({ pages, items }, CUT)
  return await openContent(content, segment)
}

test('a piece is found under its headings, and says where it stands', async () => {
  const text = '# Delivery\n\nWe deliver on weekdays.\n\n## To the islands\n\nThe ferry takes eleven days.'
  const [first] = passagesFor(await held([page(text)]), 'How many days does the ferry take?')
  assert.equal(first?.heading, 'Delivery > To the islands')
  assert.match(first?.text ?? '', /eleven days/)
  assert.deepEqual(first?.source, { kind: 'page', title: 'Delivery', url: `${SITE}/delivery` })
})

test('a question for two things finds the pieces of both', async () => {
  const text =
    '# Parking\n\nThere is free parking behind the house.\n\n# Opening hours\n\nWe are open on Saturday from 10 to 15.\n\n# Jobs\n\nWe look for a cook.'
  const found = passagesFor(await held([page(text)]), 'Is there parking and are you open on Saturday?')
  assert.deepEqual(found.map(({ heading }) => heading).toSorted(), ['Opening hours', 'Parking'])
})

test('an item says what its page states, letter by letter, and nothing more', () => {
  assert.equal(textOfItem(item), `Heron lamp: 1 189,00 GEL\nSold out until May\n${SITE}/lamps/heron`)
  assert.equal(
    textOfItem({ ...item, price: '₾ 5', currency: '₾' }),
    `Heron lamp: ₾ 5\nSold out until May\n${SITE}/lamps/heron`,
  )
  assert.equal(textOfItem({ ...item, price: null, availability: '' }), `Heron lamp\n${SITE}/lamps/heron`)
})

test('an index that an older release packed is made again, and finds the same', async () => {
  const { content } = await packReading({ pages: [page('The ferry takes eleven days.')], items: [item] }, CUT)
  const preview = await openContent(content, Buffer.alloc(64))
  assert.match(passagesFor(preview, 'How many days does the ferry take?')[0]?.text ?? '', /eleven/)
})

test('a question for a price finds the item, although no word of it says price', async () => {
  const pages = Array.from({ length: 30 }, (_, at) =>
    page(`Our workshop has its own story number ${at}.`, `Story ${at}`),
  )
  const preview = await held(pages, [item, { ...item, name: 'Stork lamp', url: `${SITE}/lamps/stork` }])
  for (const question of ['price of the Heron lamp', 'What does the Heron lamp cost?', 'რა ღირს Heron lamp?']) {
    assert.equal(passagesFor(preview, question)[0]?.source.url, item.url, question)
  }
})

test('what was written takes the first places, and leaves two of the five to a site that fits', async () => {
  const preview = await held([
    page('The ferry takes eleven days.'),
    page('In winter the ferry takes many days.', 'Winter'),
    page('How many days the ferry takes is told at the harbour.', 'Harbour'),
  ])
  const written = (count: number): Passage[] =>
    Array.from({ length: count }, (_, at) => ({
      source: { kind: 'knowledge', title: `written ${at}`, url: null },
      heading: null,
      text: 'Something else.',
    }))
  const found = async (count: number, shelved: typeof preview | null, text = 'How many days does the ferry take?') => {
    const retrieval = withPreviews({ find: async () => written(count) }, { of: async () => shelved })
    const passages = await retrieval.find(
      {} as Context,
      { text, language: 'en' } as never,
      new AbortController().signal,
    )
    return passages.map(({ source }) => source.kind).join(' ')
  }
  const five = 'knowledge knowledge knowledge knowledge knowledge'
  assert.equal(await found(5, preview), 'knowledge knowledge knowledge page page')
  assert.equal(await found(1, preview), 'knowledge page page page')
  assert.equal(await found(5, null), five)
  assert.equal(await found(5, preview, 'xylophone'), five)
})
