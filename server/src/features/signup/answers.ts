import { RESEND, WAITS } from '@tether/contract'
import type { House } from '../../ground/context/index.ts'

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Lines for a shell. A secret that did not change is not known any more, so its line says so. */
export function exportLines({ http }: House['settings'], apiKey: string, signingSecret: string | null): string[] {
  return [
    `export TETHER_BASE_URL=${quoted(http.publicUrl)}`,
    `export TETHER_API_KEY=${quoted(apiKey)}`,
    signingSecret === null
      ? '# TETHER_SIGNING_SECRET stays as it is'
      : `export TETHER_SIGNING_SECRET=${quoted(signingSecret)}`,
  ]
}

export const waitsOf = (confirmed: boolean) => (confirmed ? [] : [...WAITS])

export const confirmationOf = (sentTo: string | null) =>
  sentTo === null ? null : { sentTo, resend: RESEND, waits: waitsOf(false) }

export function nextSteps(confirmed: boolean): string[] {
  return [
    'Store the key and the signing secret now: neither is shown again.',
    'Register what a model may reach: PUT /v1/tools.',
    'Say where your tools are called: PUT /v1/endpoint.',
    ...(confirmed
      ? []
      : [
          'Open the link that was mailed, and press the button there: until then some things wait, see `confirmation`.',
        ]),
  ]
}

export const NOTICE =
  'The key is a secret of your server: never put it into a page. The workspace is on the free plan, for development and testing.'
