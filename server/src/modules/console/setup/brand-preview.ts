// The real widget with colours that nobody has saved yet, in a frame beside the form. It has no key, so that nothing asked in it
// reaches anybody, and its colour stands in a style sheet of its own, because the policy of our pages allows no other.
import type { Language } from '@tether/contract'
import { SCRIPT_PATH, snippetWords } from '../../../api/embed/index.ts'
import { type Html, html } from '../../../kernel/html/index.ts'
import type { Asked, Page } from '../../../pages/console-kit/index.ts'

const PATH = '/console/website'

export const isColor = (color: string): boolean => /^#[0-9a-f]{6}$/i.test(color)

const queryOf = (language: Language, color: string): string =>
  new URLSearchParams({ lang: language, ...(isColor(color) ? { color } : {}) }).toString()

export const brandFrame = (language: Language, title: string, color: string): Html =>
  html`<iframe class="preview" src="${PATH}/preview.html?${queryOf(language, color)}" title="${title}" data-previews="color"></iframe>`

const colorOf = ({ color = '' }: Asked['query']): string => (isColor(color) ? color.toLowerCase() : '')

export const previewFiles: NonNullable<Page['files']> = {
  'preview.html': async ({ language }, query) => {
    const words = snippetWords(language)
    const content = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Tether</title>
<link rel="stylesheet" href="${PATH}/preview.css?${queryOf(language, colorOf(query))}">
<script src="${SCRIPT_PATH}" defer></script>
<script src="/console/console.js" defer></script>
</head>
<body>
<service-assistant endpoint="" publishable-key="" mode="floating" lang="${language}" launcher-label="${words.launcher}" greeting="${words.greeting}" placeholder="${words.placeholder}" data-opens></service-assistant>
</body>
</html>
`.text
    return { type: 'text/html', content, isShown: true }
  },
  'preview.css': async (_, query) => {
    const color = colorOf(query)
    const content = color === '' ? '' : `service-assistant { --service-accent: ${color}; }\n`
    return { type: 'text/css', content, isShown: true }
  },
}
