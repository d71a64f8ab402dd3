import type { Answer } from '../../kernel/http/index.ts'

type PageAnswer = {
  readonly html: string
  readonly status?: number
  readonly cookie?: string | null
  /** It shows something that nobody may see a second time. */
  readonly once?: boolean
}

/**
 * `images` is where pictures may come from; `types` names the one policy of Trusted Types, where a script of the page needs it.
 * `frames` lets it show pages of our own in frames.
 */
type Terms = { readonly images: string; readonly types?: string; readonly frames?: boolean }

export function pageAnswers({ images, types, frames = false }: Terms): (page: PageAnswer) => Answer {
  const named = types === undefined ? '' : `; trusted-types ${types}`
  const framed = frames ? "; frame-src 'self'" : ''
  const policy = `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src ${images}${framed}; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'${named}`
  return ({ html, status = 200, cookie = null, once = false }) => ({
    status,
    headers: {
      'content-security-policy': policy,
      // With none at all a browser would send "null" as the Origin of our own forms.
      'referrer-policy': 'same-origin',
      vary: 'cookie, accept-language',
      ...(once ? { 'cache-control': 'no-store' } : {}),
      ...(cookie === null ? {} : { 'set-cookie': cookie }),
    },
    text: { type: 'text/html; charset=utf-8', content: html },
  })
}

/** What stands in a frame of our own pages, and of nobody else's. */
export const framedHeaders = {
  'content-security-policy': `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; require-trusted-types-for 'script'`,
  'x-frame-options': 'SAMEORIGIN',
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
} as const

/** After a form, so that going back or loading again does not send it twice. */
export const seeOther = (to: string, cookie: string | null = null): Answer => ({
  status: 303,
  headers: { location: to, 'referrer-policy': 'same-origin', ...(cookie === null ? {} : { 'set-cookie': cookie }) },
  text: { type: 'text/plain; charset=utf-8', content: '' },
})
