// What we call tools and fields when we talk to a visitor: what the business calls them, else their names made into words. A Georgian
// answer uses no name at all where nobody said one in Georgian.
import type { Language } from '@tether/contract'
import type { OfferedTool } from '../../kernel/model/index.ts'
import { fieldIn, partsOfName, titleIn } from '../../tools/labels/index.ts'

/** `get_order` is "Order" to a visitor, and `cancel_order` "Cancel order", unless the business calls them something else. */
export function toolLabel(
  tool: Pick<OfferedTool, 'name' | 'description'> & Partial<OfferedTool>,
  language: Language,
): string {
  const { name, description, title = null, labels = {}, parameters } = tool
  const declared = titleIn({ description, title, labels, parameters }, language)
  return declared ?? (language === 'en' ? wordsOf(name.replace(/^(get|list|read|fetch|show)_(?=.)/, '')) : '')
}

const SHORT_FORMS = new Set(['id', 'sku', 'eta', 'url', 'vat', 'iban'])

/** Turns `delivery_date` and `deliveryDate` into "Delivery date". */
function wordsOf(name: string): string {
  const plain = partsOfName(name)
    .map((part) => (SHORT_FORMS.has(part) ? part.toUpperCase() : part))
    .join(' ')
  return plain.charAt(0).toUpperCase() + plain.slice(1)
}

/** In Georgian, a field that nobody translated keeps the business's own name. */
export const fieldLabel = (
  name: string,
  language: Language,
  description = '',
  tool?: Pick<OfferedTool, 'labels'>,
): string => fieldIn(tool?.labels, name, language, description) ?? (language === 'en' ? wordsOf(name) : name)
