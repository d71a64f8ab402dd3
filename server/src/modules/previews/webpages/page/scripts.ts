import type { Listener } from './tag.ts'

/** The texts of a page that are not for its reader. */
export type PageScripts = {
  readonly jsonLd: readonly string[]
  readonly nextData: string | null
  /** Of `style` elements and attributes. */
  readonly css: string
}

const MOST_BLOCKS = 100
const MOST_CSS = 300_000

export function gatherScripts(): Listener & { scripts(): PageScripts } {
  const jsonLd: string[] = []
  const css: string[] = []
  let [parts, kind, cssLength] = [[] as string[], '' as '' | 'json-ld' | 'next-data' | 'css', 0]
  let nextData: string | null = null
  const addCss = (text: string): void => {
    if (cssLength < MOST_CSS) css.push(text)
    cssLength += text.length
  }
  return {
    open({ name, attributes }) {
      if (attributes.style !== undefined) addCss(`{${attributes.style}}`)
      if (name === 'style') kind = 'css'
      if (name !== 'script') return
      const type = (attributes.type ?? '').trim().toLowerCase()
      if (/^application\/(?:[\w.-]+\+)?ld\+json/.test(type)) kind = 'json-ld'
      else if (attributes.id === '__NEXT_DATA__') kind = 'next-data'
    },
    text(text) {
      if (kind !== '') parts.push(text)
    },
    close(name) {
      if (kind === '' || (name !== 'script' && name !== 'style')) return
      const text = parts.join('')
      if (kind === 'css') addCss(text)
      else if (kind === 'next-data') nextData ??= text
      else if (jsonLd.length < MOST_BLOCKS) jsonLd.push(text)
      parts = []
      kind = ''
    },
    scripts: () => ({ jsonLd, nextData, css: css.join('\n').slice(0, MOST_CSS) }),
  }
}
