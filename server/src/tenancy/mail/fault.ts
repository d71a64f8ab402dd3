/** Why a mail was not accepted. The words must not contain an address, because we keep and show them. */
export type MailFault = { readonly statusCode: number | null; readonly error: string; readonly forGood: boolean }

type SmtpError = { readonly code?: unknown; readonly responseCode?: unknown; readonly command?: unknown }

// Refusals about this mail or its recipient. One about us (a wrong password, a full server) may pass.
const ABOUT_THE_MAIL = new Set(['EENVELOPE', 'EMESSAGE'])
const TIMEOUTS = new Set(['ETIMEDOUT', 'ETIMEOUT'])

export function faultOf(error: unknown): MailFault {
  const { code, responseCode } = error as SmtpError
  const name = typeof code === 'string' && /^[A-Z_0-9]{1,40}$/.test(code) ? code : 'no reason given'
  if (typeof responseCode === 'number' && responseCode >= 100) {
    const forGood = responseCode >= 500 && ABOUT_THE_MAIL.has(name)
    return { statusCode: responseCode, error: `the receiver answered ${responseCode}`, forGood }
  }
  if (TIMEOUTS.has(name)) return { statusCode: null, error: 'timeout: the mail server did not answer', forGood: false }
  return { statusCode: null, error: `unreachable: ${name}`, forGood: false }
}
