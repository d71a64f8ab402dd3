// The forms of a page, with what a browser sends of each where nothing was typed.

export type PageForm = {
  /** Its own address, and those of its other buttons. */
  readonly sentTo: readonly string[]
  readonly fields: Readonly<Record<string, string>>
  /** The first button of each group of radio buttons, of which one may be chosen or none. */
  readonly radios: Readonly<Record<string, string>>
}

const SIGNS: Readonly<Record<string, string>> = { '&quot;': '"', '&#39;': "'", '&lt;': '<', '&gt;': '>', '&amp;': '&' }
const plain = (text: string): string => text.replace(/&(?:quot|#39|lt|gt|amp);/g, (sign) => SIGNS[sign] ?? sign)

const attribute = (tag: string, name: string): string | undefined => {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]
  return value === undefined ? undefined : plain(value)
}

const chosenIn = (options: string): string =>
  attribute(/<option[^>]*\sselected[^>]*>/.exec(options)?.[0] ?? /<option[^>]*>/.exec(options)?.[0] ?? '', 'value') ??
  ''

/** What one control sends; undefined where it sends nothing. */
function sentBy(tag: string, content: string): string | undefined {
  if (tag.startsWith('<select')) return chosenIn(content)
  if (tag.startsWith('<textarea')) return plain(content).replace(/^\n/, '')
  const type = attribute(tag, 'type')
  if (type === 'file') return ''
  const isChoice = type === 'checkbox' || type === 'radio'
  return isChoice && !/\schecked/.test(tag) ? undefined : (attribute(tag, 'value') ?? '')
}

const CONTROLS =
  /(<(?:input|select|textarea)\b[^>]*>)(?:([^<]*)<\/textarea>|((?:<option[^>]*>[^<]*<\/option>)*)<\/select>)?/g

/** The forms that are posted, in their order. */
export function formsIn(page: string): readonly PageForm[] {
  return [...page.matchAll(/(<form method="post"[^>]*>)([\s\S]*?)<\/form>/g)].map(([, tag = '', inside = '']) => {
    const id = attribute(tag, 'id')
    const elsewhere =
      id === undefined ? '' : (page.match(new RegExp(`<input[^>]* form="${id}"[^>]*>`, 'g')) ?? []).join('')
    const fields: Record<string, string> = {}
    const radios: Record<string, string> = {}
    for (const [, control = '', text, options] of `${inside}${elsewhere}`.matchAll(CONTROLS)) {
      const name = attribute(control, 'name')
      if (name === undefined) continue
      if (attribute(control, 'type') === 'radio') radios[name] ??= attribute(control, 'value') ?? ''
      const value = sentBy(control, text ?? options ?? '')
      if (value !== undefined) fields[name] = value
    }
    const buttons = [...inside.matchAll(/\sformaction="([^"]*)"/g)].map(([, to = '']) => plain(to))
    return { sentTo: [attribute(tag, 'action') ?? '', ...buttons], fields, radios }
  })
}
