import { collapsed } from '../page/tag.ts'
import { textOfHtml } from '../page/text-of-html.ts'
import type { SiteItem } from '../site-item.ts'
import { isObject } from './json-object.ts'

const LONGEST_NAME = 300
const LONGEST_DESCRIPTION = 2_000
const LONGEST_ADDRESS = 2_048

/** The first of these that is a text, as a reader sees it. */
export function nameIn(values: readonly unknown[]): string | null {
  for (const value of values) {
    const text = typeof value === 'string' && value.length < 10_000 ? collapsed(textOfHtml(value)) : ''
    if (text !== '') return text.slice(0, LONGEST_NAME).toWellFormed()
  }
  return null
}

export function descriptionIn(values: readonly unknown[]): string | null {
  const written = values.find((value): value is string => typeof value === 'string' && value.trim() !== '')
  const text = written === undefined ? '' : textOfHtml(written)
  return text === '' ? null : text.slice(0, LONGEST_DESCRIPTION).toWellFormed()
}

/** The first web address in these: written as a text, in a list, or in an object that says where it is. */
export function addressIn(values: readonly unknown[], base: string): string | null {
  for (const value of values) {
    const one = Array.isArray(value) ? value[0] : value
    const written = isObject(one) ? [one.url, one.contentUrl, one.src, one.href, one['@id']].find(isText) : one
    const url = isText(written) && written.length <= LONGEST_ADDRESS ? URL.parse(written.trim(), base) : null
    if (url !== null && (url.protocol === 'https:' || url.protocol === 'http:') && url.username === '') return url.href
  }
  return null
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''

/** In one word for what means the same: what schema.org writes as an address is its last part. */
export function availabilityOf(stated: unknown): string | null {
  if (typeof stated !== 'string' || stated.length > 200) return null
  return stated.trim().split(/[/#]/).at(-1)?.trim() || null
}

/** The same thing stands on many pages: once is enough, and what says more of it wins. */
export function distinctItems(items: readonly SiteItem[], most: number): SiteItem[] {
  const found = new Map<string, SiteItem>()
  for (const item of items) {
    const key = `${item.url} ${item.name.toLowerCase()}`
    const before = found.get(key)
    if (before === undefined || (before.price === null && item.price !== null)) found.set(key, item)
  }
  return [...found.values()].slice(0, most)
}
