// A form counts if it is one of our own pages that sends it: by its Origin, and by a token that nobody else can have.

import { z } from 'zod'
import { equalBytes, hmacSha256, openLink, sealLink } from '../../kernel/crypto/index.ts'
import { Refusal, type RequestHead } from '../../kernel/http/index.ts'
import { member } from '../../kernel/json/index.ts'
import type { House } from '../../tenancy/context/index.ts'
import { isHttps } from './cookie.ts'

export type Form = Readonly<Record<string, readonly string[]>>
export const Fields = z.record(z.string(), z.array(z.string()))

/** What a form says here; nothing where it says nothing, or came without the field. */
export const field = (form: Form, name: string): string => member(form, name)?.at(-1) ?? ''

/** A form that changes something came without one of its fields: it was made by an older page, or by no page, or cut short. */
export class FieldMissing extends Refusal {
  readonly field: string

  constructor(name: string) {
    super(
      'invalid_request',
      `The form came without its field "${name}", so nothing was changed. Load the page again, and send it from there.`,
    )
    this.field = name
  }
}

/**
 * What a form says here, which may be nothing; refused where the field did not come along. Only an empty field says that something
 * is to be empty. A browser leaves out a box that is not ticked, so a hidden field of the same name stands before each.
 */
export function sent(form: Form, name: string): string {
  const said = member(form, name)?.at(-1)
  if (said === undefined) throw new FieldMissing(name)
  return said
}

const DAY = 86_400_000

/** The public address, and the one that the browser was sent to, which differ on a machine of one's own. */
function ownOrigins({ settings }: Pick<House, 'settings'>, host: string | undefined): string[] {
  const scheme = isHttps(settings) ? 'https' : 'http'
  return [new URL(settings.http.publicUrl).origin, ...(host === undefined ? [] : [`${scheme}://${host}`])]
}

/** A foreign page's form is refused by its Origin, and one without an Origin by its token. */
function comesFromUs(house: Pick<House, 'settings'>, { headers }: Pick<RequestHead, 'headers'>): boolean {
  const { origin, 'sec-fetch-site': site } = headers
  if (origin !== undefined && !ownOrigins(house, headers.host).includes(origin)) return false
  return site === undefined || site === 'same-origin' || site === 'none'
}

/** The forms of whoever is signed in to a page: the token is of the session alone. */
export function newFormKeeper(page: string) {
  // The newest first: a form that was open while the encryption key was rotated still counts.
  const tokens = ({ keyring }: Pick<House, 'keyring'>, hash: Buffer): string[] =>
    keyring.derive(`${page} form v1`).map((key) => hmacSha256(key, hash).toString('base64url'))
  return {
    token: (house: Pick<House, 'keyring'>, hash: Buffer): string => tokens(house, hash)[0] ?? '',
    isOurs: (house: House, head: RequestHead, form: Form, hash: Buffer): boolean =>
      comesFromUs(house, head) &&
      tokens(house, hash).some((token) => equalBytes(Buffer.from(token), Buffer.from(field(form, 'token')))),
  }
}

/** The forms before a session. The token proves that this service made the page, lately, for what `id` names. */
export function strangersForm(page: string) {
  const purpose = `${page}.form`
  return {
    token: (house: Pick<House, 'keyring' | 'clock'>, id: string): string =>
      sealLink(house.keyring, { purpose, id, expiresAt: house.clock.now() + DAY }),
    isOurs(house: House, head: RequestHead, form: Form, id: string): boolean {
      if (!comesFromUs(house, head)) return false
      const opened = openLink(house.keyring, purpose, field(form, 'token'), house.clock.now())
      return opened.ok && opened.id === id
    },
  }
}
