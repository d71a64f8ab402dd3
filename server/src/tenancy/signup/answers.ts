import { RESEND, WAITS } from '@tether/contract'
import type { House } from '../context/index.ts'

const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Lines for a shell. We no longer know a secret that did not change, so its line says so. */
export function exportLines({ http }: House['settings'], apiKey: string, signingSecret: string | null): string[] {
  return [
    `export TETHER_BASE_URL=${shellQuoted(http.publicUrl)}`,
    `export TETHER_API_KEY=${shellQuoted(apiKey)}`,
    signingSecret === null
      ? '# TETHER_SIGNING_SECRET stays as it is'
      : `export TETHER_SIGNING_SECRET=${shellQuoted(signingSecret)}`,
  ]
}

export const waitsOf = (confirmed: boolean) => (confirmed ? [] : [...WAITS])

export const confirmationOf = (sentTo: string | null) =>
  sentTo === null ? null : { sentTo, resend: RESEND, waits: waitsOf(false) }

/** `more` are the steps of a module that took part in creating the workspace. */
export function nextSteps(confirmed: boolean, more: readonly string[]): string[] {
  return [
    'Store the key and the signing secret now. Neither is shown again.',
    ...more,
    'Register what a model may use: PUT /v1/tools.',
    'Set the address at which your tools are called: PUT /v1/endpoint.',
    ...(confirmed
      ? []
      : ['Open the mailed link and press the button there. Until then some things wait; see `confirmation`.']),
  ]
}

export const NOTICE =
  'The key is a secret of your server. Never put it into a page. The workspace is on the free plan, for development and testing.'
