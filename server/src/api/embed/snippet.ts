import type { Language } from '@tether/contract'
import { html } from '../../kernel/html/index.ts'
import { WORDS } from './words.ts'

export type SnippetParts = {
  readonly key: string
  readonly endpoint: string
  readonly language: Language
  /** The default is the usual one of the language. */
  readonly greeting: string | undefined
}

export const SCRIPT_PATH = '/widget/service-assistant.js'
export const scriptUrlOf = (endpoint: string): string => endpoint + SCRIPT_PATH

/**
 * The snippet to paste once before the closing body tag. It is on public pages, so it must not contain any other kind
 * of key.
 */
export function snippetOf({ key, endpoint, language, greeting }: SnippetParts): string {
  if (!key.startsWith('tpk_')) throw new TypeError('A snippet may contain only a publishable key.')
  const words = WORDS[language]
  return html`<script src="${scriptUrlOf(endpoint)}" defer></script>
<service-assistant endpoint="${endpoint}" publishable-key="${key}" mode="floating" lang="${language}" launcher-label="${words.launcher}" greeting="${greeting ?? words.greeting}" placeholder="${words.placeholder}"></service-assistant>`
    .text
}
