// What an honest tenant of the same size sends.
import { times } from './case.ts'

const WORDS =
  'order customer invoice delivery address product stock price return refund branch courier warranty size colour quantity voucher discount schedule appointment'.split(
    ' ',
  )
const word = (index: number): string => WORDS[index % WORDS.length] ?? ''

/** Words of a shop, up to so many characters. */
export const prose = (characters: number, from = 0): string => {
  const words: string[] = []
  for (let length = 0, index = from; length < characters; index++) {
    words.push(word(index * 7 + (index >> 3)))
    length += (words.at(-1)?.length ?? 0) + 1
  }
  return words.join(' ').slice(0, characters)
}

const line = (index: number) => ({
  sku: `SKU-${index}`,
  title: prose(100, index),
  quantity: (index % 9) + 1,
  price: (index % 997) + 0.5,
  tags: [word(index + 1), word(index + 2)],
  gift: index % 5 === 0,
})

/** The lines of an order, as JSON of about so many bytes. */
export function lines(bytes: number) {
  const each = JSON.stringify(line(1234)).length + 1
  return times(Math.max(1, Math.floor(bytes / each)), line)
}

export const ordinaryTool = (index: number, description = 120) => ({
  name: `${['get', 'list', 'update', 'cancel'][index % 4]}_${word(index)}_${index}`,
  description: prose(description, index),
  is_write: index % 4 > 1,
  parameters: {
    type: 'object',
    properties: {
      number: { type: 'string', description: 'The number of the order.', pattern: '^[A-Z]-\\d{1,9}$' },
      lines: {
        type: 'array',
        items: { type: 'object', properties: { sku: { type: 'string' }, quantity: { type: 'integer', minimum: 1 } } },
      },
      reason: { type: 'string', maxLength: 500 },
    },
    required: ['number'],
  },
})

/** A catalog of about so many bytes: as many tools as that takes, and from the most on longer descriptions. */
export function catalog(bytes: number) {
  const each = JSON.stringify(ordinaryTool(1234)).length + 1
  const count = Math.max(1, Math.min(5_000, Math.floor(bytes / each)))
  const room = Math.max(120, Math.floor(bytes / count) - each + 120)
  return times(count, (index) => ordinaryTool(index, room))
}

/** A page of about so many bytes. */
export function page(bytes: number): string {
  const piece = (index: number) =>
    `<div class="card" id="c${index}"><h3>${word(index)}</h3><p>${prose(90, index)}</p><a href="/p/${index}">more</a><img src="/i/${index}.png" alt="${word(index + 1)}"></div>\n`
  const each = piece(1234).length
  const body = times(Math.floor(bytes / each), piece).join('')
  return `<!doctype html><html><head><title>Shop</title><script src="/app.js"></script></head><body>${body}</body></html>`
}
