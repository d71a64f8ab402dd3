// Whether a site answered with a test for robots. We never try to pass one.
import type { AnswerHeaders } from '../../../kernel/egress/index.ts'

const STATUSES = new Set([401, 403, 405, 429, 503])
const LOOKED_AT = 65_536
/** With status 200, a page with more to read is a page. */
const SHORT_WITH_TITLE = 1_500
const SHORT_WITH_MARK = 200

const TITLES =
  /^\s*(?:just a moment|attention required|access denied\s*\||checking your browser|ddos-guard|pardon our interruption|sucuri website firewall|vercel security checkpoint)/i
/** Titles that an ordinary page may have, too. They count with a status of refusal alone. */
const VAGUE_TITLES =
  /^\s*(?:one more step|security check|are you a robot|robot check|human verification|verify(?:ing)? you are (?:a )?human|bot verification|you have been blocked|please wait\.\.\.)/i
const MARKS = [
  '_cf_chl_opt',
  '__cf_chl_',
  'challenge-form',
  'jschl_vc',
  'jschl_answer',
  'jschl-answer',
  'challenges.cloudflare.com/turnstile',
  'cf-error-details',
  '/cdn-cgi/bm/cv/',
  'sucuri_cloudproxy',
  'px-captcha',
  'captcha-delivery.com',
  '_incapsula_resource',
  'awswaf',
  'ddos-guard/js-challenge',
  'kpsdk',
]

export type Answered = { readonly status: number; readonly headers: AnswerHeaders; readonly text: string }

/** `visible` is what a person would read on the page, in characters. */
export function isChallenge({ status, headers, text }: Answered, title: string, visible: number): boolean {
  if ([headers['cf-mitigated']].flat().some((value) => value?.trim().toLowerCase() === 'challenge')) return true
  const isSuspect = STATUSES.has(status)
  if (!isSuspect && visible >= SHORT_WITH_TITLE) return false
  if (TITLES.test(title) || (isSuspect && VAGUE_TITLES.test(title))) return true
  if (!isSuspect && visible >= SHORT_WITH_MARK) return false
  const head = text.slice(0, LOOKED_AT).toLowerCase()
  return MARKS.some((mark) => head.includes(mark))
}
