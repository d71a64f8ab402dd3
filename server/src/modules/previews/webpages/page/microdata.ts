import { member, setMember } from '../../../../kernel/json/index.ts'
import { collapsed, type Listener, type Tag } from './tag.ts'

/** An object in the form of JSON-LD. */
export type MicrodataItem = { '@type': string; [name: string]: unknown }

const MOST_ITEMS = 1_000
const LONGEST_VALUE = 5_000

type Open = { readonly item: MicrodataItem | null; readonly property: string; text: string }

const NEITHER: Open = { item: null, property: '', text: '' }

/** The items of a page in microdata: an item within another is a property of that one. */
export function gatherMicrodata(): Listener & { items(): readonly MicrodataItem[] } {
  const items: MicrodataItem[] = []
  const stack: Open[] = []
  let [count, reading] = [0, 0]
  const around = (): MicrodataItem | null => stack.findLast(({ item }) => item !== null)?.item ?? null
  return {
    open({ attributes, name }) {
      if (attributes.itemprop === undefined && attributes.itemscope === undefined) {
        stack.push(NEITHER)
        return
      }
      const property = (attributes.itemprop ?? '').trim().split(/\s+/, 1)[0] ?? ''
      const outer = around()
      let item: MicrodataItem | null = null
      if (attributes.itemscope !== undefined && count++ < MOST_ITEMS) {
        item = { '@type': attributes.itemtype ?? '' }
        if (property === '' || outer === null) items.push(item)
        else addTo(outer, property, item)
      } else if (property !== '' && outer !== null) {
        const value = statedValue(name, attributes)
        if (value !== null) addTo(outer, property, value)
        else {
          stack.push({ item: null, property, text: '' })
          reading++
          return
        }
      }
      stack.push({ item, property: '', text: '' })
    },
    text(text) {
      if (reading === 0) return
      const open = stack.findLast(({ property }) => property !== '')
      if (open !== undefined && open.text.length < LONGEST_VALUE) open.text += text
    },
    close() {
      const closed = stack.pop()
      if (closed === undefined || closed.property === '') return
      reading--
      const outer = around()
      if (outer !== null) addTo(outer, closed.property, collapsed(closed.text))
    },
    items: () => items,
  }
}

function addTo(item: MicrodataItem, property: string, value: unknown): void {
  if (property.startsWith('@')) return
  const before = member(item, property)
  const all = before === undefined ? value : Array.isArray(before) ? [...before.slice(0, 200), value] : [before, value]
  setMember<unknown>(item, property, all)
}

function statedValue(name: string, { content, href, src, datetime, value }: Tag['attributes']): string | null {
  if (content !== undefined) return content
  if (name === 'a' || name === 'link' || name === 'area') return href ?? null
  if (name === 'img' || name === 'source' || name === 'embed') return src ?? null
  return (name === 'time' ? datetime : name === 'data' || name === 'meter' ? value : null) ?? null
}
