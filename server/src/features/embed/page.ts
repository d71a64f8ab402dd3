// What a page's HTML carries, read as a browser does: what stands in a comment or in the text of a script is no element.
import type { ScriptTag } from './csp.ts'

export type PageReading = {
  readonly element: boolean
  /** The tag that loads the widget's script. */
  readonly script: ScriptTag | undefined
  readonly keys: readonly string[]
  readonly metaPolicies: readonly string[]
}

type Tag = { readonly name: string; readonly attributes: ReadonlyMap<string, string> }

const OPENING = /<([a-z][^\s/>]*)((?:[^>"']|"[^"]*"|'[^']*')*)>/iy
const ATTRIBUTE = /([^\s"'>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g
/** Their content is text. */
const RAW = new Set(['script', 'style', 'textarea', 'title', 'xmp', 'iframe', 'noembed', 'noframes', 'template'])

export function readPage(html: string, scriptPath: string): PageReading {
  let element = false
  let script: ScriptTag | undefined
  const keys: string[] = []
  const metaPolicies: string[] = []
  for (const { name, attributes } of tagsOf(html)) {
    if (name === 'service-assistant') {
      element = true
      const key = attributes.get('publishable-key')?.trim() ?? ''
      if (key !== '') keys.push(key)
    }
    if (name === 'script' && isWidget(attributes.get('src'), scriptPath)) {
      script ??= { nonce: attributes.get('nonce'), integrity: attributes.get('integrity') }
    }
    if (name === 'meta' && attributes.get('http-equiv')?.trim().toLowerCase() === 'content-security-policy') {
      metaPolicies.push(attributes.get('content') ?? '')
    }
  }
  return { element, script, keys, metaPolicies }
}

const isWidget = (src: string | undefined, scriptPath: string): boolean => {
  const path = src?.trim().split(/[?#]/, 1)[0] ?? ''
  return path.endsWith(scriptPath) || /\/widget\/pinned\/service-assistant\.[0-9a-f]{16}\.js$/.test(path)
}

function* tagsOf(html: string): Generator<Tag> {
  for (let at = html.indexOf('<'); at !== -1; at = html.indexOf('<', at)) {
    if (html.startsWith('<!--', at)) {
      at = endOf(html, '-->', at + 4)
      continue
    }
    OPENING.lastIndex = at
    const [all, name] = OPENING.exec(html) ?? []
    if (all === undefined || name === undefined) {
      at++
      continue
    }
    const known = name.toLowerCase()
    yield { name: known, attributes: attributesOf(all.slice(name.length + 1, -1)) }
    at += all.length
    if (RAW.has(known)) at = endOfRaw(html, known, at)
  }
}

const endOf = (html: string, text: string, from: number): number => {
  const found = html.indexOf(text, from)
  return found === -1 ? html.length : found + text.length
}

function endOfRaw(html: string, name: string, from: number): number {
  const closing = new RegExp(`</${name}[\\s/>]`, 'gi')
  closing.lastIndex = from
  const found = closing.exec(html)
  return found === null ? html.length : found.index
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#x27': "'" }

function attributesOf(text: string): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>()
  for (const [, name = '', double, single, bare] of text.matchAll(ATTRIBUTE)) {
    const value = (double ?? single ?? bare ?? '').replace(
      /&(amp|lt|gt|quot|#39|#x27);/gi,
      (_, entity: string) => ENTITIES[entity.toLowerCase()] ?? '',
    )
    // Of two alike the first counts.
    if (!attributes.has(name.toLowerCase())) attributes.set(name.toLowerCase(), value)
  }
  return attributes
}

/** A key that must not be in a page, wherever in it: commented out it can be read all the same. */
export const carriesSecret = (html: string): boolean =>
  /\bt(?:th|ag|pv|ib|ci|ck|ac|us)_[0-9a-f]{48}\b/.test(html) || /\bwhsec_[A-Za-z0-9+/]{40,}/.test(html)
