// What a reader is shown in place of `refund_order` and `order_number`. Names in a catalog are English, so a Georgian reader gets what
// the business declared, else the Georgian words of a description, else a word that most businesses use.
import type { Language, ToolLabels } from '@tether/contract'
import { isObject, member } from '../../kernel/json/index.ts'
import { onOneLine } from '../../kernel/text/index.ts'
import { GEORGIAN_LABELS } from './georgian-labels.ts'

/** As much of a tool as says what people call it. */
export type Called = {
  readonly description: string
  readonly parameters: unknown
  readonly title?: string | null
  readonly labels?: ToolLabels
}

const GEORGIAN_LETTER = /\p{Script=Georgian}/u
// Not an object, whose `constructor` is no word of ours.
const GEORGIAN = new Map(Object.entries(GEORGIAN_LABELS))
const SEGMENT = /[·|;/\n–—]|\.(?=\s|$)/u
const LONGEST = 80

/** Returns the parts of a text that are in that language. */
export const partsIn = (text: string, language: Language): string[] =>
  text
    .split(SEGMENT)
    .map((part) => part.trim())
    .filter((part) => part !== '' && GEORGIAN_LETTER.test(part) === (language === 'ka'))

const firstGeorgian = (text: string): string | undefined => {
  const [part] = partsIn(text, 'ka')
  return part !== undefined && part.length > LONGEST ? `${part.slice(0, LONGEST - 1)}…` : part
}

/** Undefined where nothing but the tool's name says what it is called. */
export function titleIn({ title = null, labels, description }: Called, language: Language): string | undefined {
  const declared = labels?.[language]?.title
  const written = title ?? undefined
  const found =
    declared !== undefined || language === 'en'
      ? (declared ?? written)
      : written !== undefined && GEORGIAN_LETTER.test(written)
        ? written
        : (firstGeorgian(description) ?? written)
  return found === undefined ? undefined : onOneLine(found)
}

/** `deliveryDate` and `delivery-date` are `delivery_date` here. */
export const partsOfName = (name: string): string[] =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_\s-]+/)
    .filter(Boolean)

/** What a field is called: of an argument, or of a result that has a member of the same name. */
export function fieldIn(
  labels: ToolLabels | undefined,
  name: string,
  language: Language,
  description = '',
): string | undefined {
  const declared = labels?.[language]?.parameters
  if (declared !== undefined && Object.hasOwn(declared, name)) return declared[name]
  if (language === 'en') return undefined
  return GEORGIAN.get(partsOfName(name).join('_')) ?? firstGeorgian(description)
}

/**
 * What arguments are called, where it is not by their own names. Two that would read alike have their names beside them, so
 * that nobody takes one for the other. A map, because a stranger may name an argument `constructor`, and every object has one.
 */
export function labelsOf(
  { labels, parameters }: Pick<Called, 'labels' | 'parameters'>,
  names: readonly string[],
  language: Language,
): ReadonlyMap<string, string> {
  const found = new Map(
    names.flatMap((name) => {
      const label = fieldIn(labels, name, language, descriptionOf(parameters, name))
      return label === undefined ? [] : [[name, onOneLine(label)] as const]
    }),
  )
  const read = Map.groupBy(names, (name) => found.get(name) ?? name)
  return new Map(
    [...found].map(([name, label]) => [
      name,
      (read.get(label)?.length ?? 0) > 1 ? `${label} (${onOneLine(name)})` : label,
    ]),
  )
}

function descriptionOf(parameters: unknown, name: string): string {
  const properties = isObject(parameters) ? member(parameters, 'properties') : undefined
  const schema = isObject(properties) ? member(properties, name) : undefined
  const description = isObject(schema) ? member(schema, 'description') : undefined
  return typeof description === 'string' ? description : ''
}
