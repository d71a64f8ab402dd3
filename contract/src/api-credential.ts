import { z } from 'zod'

/** Of a credential, as JSON if it is an object. */
export const LONGEST_CREDENTIAL = 4_000

/** Printable ASCII without white space around it: it goes into a header as it is. */
const HeaderText = z.string().regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/, 'must be printable ASCII')
/** A token of RFC 9110. */
const HeaderName = z.string().regex(/^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,128}$/, 'must be a header name')
/** Printable, in any script. */
const Text = z.string().regex(/^[^\p{Cc}\p{Cs}]+$/u, 'must not be empty or hold control characters')
/** Basic authentication joins the two with a colon. */
const UserName = z.string().regex(/^[^:\p{Cc}\p{Cs}]*$/u, 'must not hold a colon or control characters')
const Password = z.string().regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must not hold control characters')

/** A credential that says how it is sent. */
export const SchemedCredential = z.discriminatedUnion('scheme', [
  z.strictObject({ scheme: z.literal('bearer'), token: HeaderText }),
  z.strictObject({ scheme: z.literal('header'), name: HeaderName, value: HeaderText }),
  z.strictObject({ scheme: z.literal('query'), name: Text, value: Text }),
  z.strictObject({ scheme: z.literal('basic'), username: UserName, password: Password }),
  z.strictObject({
    scheme: z.literal('oauth2_client_credentials'),
    tokenUrl: z.string().meta({ description: 'Where tokens are issued: absolute HTTPS, at a public address.' }),
    clientId: Text,
    clientSecret: Text,
    scope: Text.optional().meta({ description: 'Scopes, with spaces between them.' }),
    audience: Text.optional().meta({ description: 'For issuers that ask for one.' }),
    clientAuthentication: z
      .enum(['basic', 'body'])
      .optional()
      .meta({ description: 'Where the client id and secret are sent: the Authorization header, unless set.' }),
  }),
])
export type SchemedCredential = z.output<typeof SchemedCredential>

/** What an imported API is called with. A plain text is sent as `Authorization: Bearer …`. */
export const ApiCredential = z
  .union([HeaderText.max(LONGEST_CREDENTIAL), SchemedCredential])
  .meta({ id: 'ApiCredential', description: 'Kept sealed, and never shown again.' })
export type ApiCredential = z.output<typeof ApiCredential>

/** Whose token an imported API is called with, where the caller sends `X-Service-Upstream-Token`. */
export const UserTokenMode = z.enum(['ignore', 'prefer', 'require']).meta({
  id: 'UserTokenMode',
  description:
    '`ignore`: the stored credential, always. `prefer`: the person’s token where one is sent. `require`: nothing is called without one.',
})
export type UserTokenMode = z.output<typeof UserTokenMode>
