import type { Answer } from '../../foundation/http/index.ts'

type PageAnswer = {
  readonly html: string
  readonly status?: number
  readonly cookie?: string | null
  /** It shows something that nobody may see a second time. */
  readonly once?: boolean
}

/** `images` is where pictures may come from; `types` names the one policy of Trusted Types, where a script of the page needs it. */
type Terms = { readonly images: string; readonly types?: string }

export function pageAnswers({ images, types }: Terms): (page: PageAnswer) => Answer {
  const named = types === undefined ? '' : `; trusted-types ${types}`
  const policy = `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src ${images}; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'${named}`
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

/** After a form, so that going back or loading again does not send it twice. */
export const seeOther = (to: string, cookie: string | null = null): Answer => ({
  status: 303,
  headers: { location: to, 'referrer-policy': 'same-origin', ...(cookie === null ? {} : { 'set-cookie': cookie }) },
  text: { type: 'text/plain; charset=utf-8', content: '' },
})
