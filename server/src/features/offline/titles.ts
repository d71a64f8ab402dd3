// What we call tools and arguments when we talk to a visitor. Names in a catalog are English, so a Georgian answer uses the Georgian
// words of the description, or no name at all.
import type { Language } from '@tether/contract'
import type { OfferedTool } from '../../foundation/model/index.ts'
import { GEORGIAN_LABELS } from './labels.ts'

const GEORGIAN = /\p{Script=Georgian}/u
const SEGMENT = /[·|;/\n–—]|\.(?=\s|$)/u
const LONGEST_TITLE = 80

/** Returns the parts of a text that are in that language. */
export const partsIn = (text: string, language: Language): string[] =>
  text
    .split(SEGMENT)
    .map((part) => part.trim())
    .filter((part) => part !== '' && GEORGIAN.test(part) === (language === 'ka'))

/** `get_order` is "Order" to a visitor, and `cancel_order` "Cancel order". In Georgian we use the description's Georgian words. */
export function toolLabel(
  { name, description }: Pick<OfferedTool, 'name' | 'description'>,
  language: Language,
): string {
  if (language === 'en') return wordsOf(name.replace(/^(get|list|read|fetch|show)_(?=.)/, ''))
  const [title = ''] = partsIn(description, 'ka')
  return title.length > LONGEST_TITLE ? `${title.slice(0, LONGEST_TITLE - 1)}…` : title
}

const SHORT_FORMS = new Set(['id', 'sku', 'eta', 'url', 'vat', 'iban'])

/** Turns `delivery_date` and `deliveryDate` into "Delivery date". */
function wordsOf(name: string): string {
  const plain = partsOf(name)
    .map((part) => (SHORT_FORMS.has(part) ? part.toUpperCase() : part))
    .join(' ')
  return plain.charAt(0).toUpperCase() + plain.slice(1)
}

const partsOf = (name: string): string[] =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_\s-]+/)
    .filter(Boolean)

/** In Georgian, a field that nobody translated keeps the business's own name. */
export function fieldLabel(name: string, language: Language, description = ''): string {
  if (language === 'en') return wordsOf(name)
  return GEORGIAN_LABELS[partsOf(name).join('_')] ?? partsIn(description, 'ka')[0]?.slice(0, LONGEST_TITLE) ?? name
}
