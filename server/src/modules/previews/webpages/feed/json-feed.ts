import { member } from '../../../../kernel/json/index.ts'
import { isObject, type JsonObject } from '../items/json-object.ts'
import { textOfHtml } from '../page/text-of-html.ts'
import type { Feed, FeedEntry } from './feed.ts'

/** JSON Feed 1 and 1.1. */
export function readJsonFeed(text: string, address: string, most: number): Feed | null {
  const feed = parsed(text)
  if (!isObject(feed) || !Array.isArray(feed.items) || !String(feed.version).includes('jsonfeed.org')) return null
  return {
    title: textAt(feed, 'title'),
    url: addressAt(feed, 'home_page_url', address),
    description: textAt(feed, 'description'),
    entries: feed.items
      .slice(0, most)
      .filter(isObject)
      .map((item) => readItem(item, address)),
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const readItem = (item: JsonObject, address: string): FeedEntry => ({
  title: textAt(item, 'title'),
  url: addressAt(item, 'url', address) ?? addressAt(item, 'external_url', address),
  summary: textAt(item, 'summary'),
  content: textAt(item, 'content_text') || textOfHtml(textAt(item, 'content_html')),
  image: addressAt(item, 'image', address),
  price: null,
  currency: null,
  availability: null,
})

function textAt(object: JsonObject, name: string): string {
  const value = member(object, name)
  return typeof value === 'string' ? value.trim() : ''
}

function addressAt(object: JsonObject, name: string, base: string): string | null {
  const written = textAt(object, name)
  return written === '' ? null : (URL.parse(written, base)?.href ?? null)
}
