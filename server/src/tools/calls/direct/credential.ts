import type { ApiCredential } from '@tether/contract'
import { asOneHeader } from '../../catalog/index.ts'

/** What proves to an API who is calling: it goes into one header, or into the query. */
export type Proof =
  | { readonly in: 'header'; readonly name: string; readonly value: string }
  | { readonly in: 'query'; readonly name: string; readonly value: string }

export type ClientCredential = Extract<ApiCredential, { scheme: 'oauth2_client_credentials' }>

export const bearer = (token: string): Proof => ({ in: 'header', name: 'Authorization', value: `Bearer ${token}` })

/** The proof that a stored credential is; for one that has to be exchanged for a token first, the credential itself. */
export function proofOf(credential: ApiCredential): Proof | ClientCredential {
  if (typeof credential === 'string') return bearer(credential)
  switch (credential.scheme) {
    case 'bearer':
      return bearer(credential.token)
    case 'header':
      return { in: 'header', name: credential.name, value: credential.value }
    case 'query':
      return { in: 'query', name: credential.name, value: credential.value }
    case 'basic':
      return { in: 'header', name: 'Authorization', value: basic(credential.username, credential.password) }
    case 'oauth2_client_credentials':
      return credential
  }
}

export const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

/** Everything in a credential that an answer must not repeat. */
export function secretsOf(credential: ApiCredential): string[] {
  if (typeof credential === 'string') return [credential]
  switch (credential.scheme) {
    case 'bearer':
      return [credential.token]
    case 'header':
    case 'query':
      // A value such as "Token 1234" is repeated without its first word, too.
      return [credential.value, ...credential.value.split(' ').slice(1)]
    case 'basic':
      return [credential.password, basic(credential.username, credential.password).slice('Basic '.length)]
    case 'oauth2_client_credentials':
      return [credential.clientSecret]
  }
}

/** The parts of a request that can carry a proof. */
type Provable = {
  readonly query: readonly string[]
  readonly headers: readonly (readonly [name: string, value: string])[]
}

/** The request with the proof in it, in place of whatever an argument would have put there. */
export function proven<Request extends Provable>(request: Request, proof: Proof | null): Request {
  if (proof === null) return request
  const { name, value } = proof
  if (proof.in === 'header') {
    const others = request.headers.filter((header) => !isReplacedHeader(header, proof))
    return { ...request, headers: [...others, [name, value]] }
  }
  const pair = new URLSearchParams({ [name]: value }).toString()
  return { ...request, query: [...request.query.filter((other) => !isReplacedPair(other, proof)), pair] }
}

/** The name of a parameter or a header of the request that `proven` would drop. Undefined if it drops none. */
export const replacedName = ({ query, headers }: Provable, proof: Proof): string | undefined =>
  proof.in === 'header'
    ? headers.find((header) => isReplacedHeader(header, proof))?.[0]
    : query.filter((pair) => isReplacedPair(pair, proof)).map(nameIn)[0]

const isReplacedHeader = ([other]: Provable['headers'][number], { name }: Proof): boolean =>
  asOneHeader(other) === asOneHeader(name)
const isReplacedPair = (pair: string, { name }: Proof): boolean => readAlike(nameIn(pair), name)
const nameIn = (pair: string): string => new URLSearchParams(pair).keys().next().value ?? ''

/**
 * The names by which some server reads a parameter: without case, with a dot, dash or space as an underscore, and only as far as
 * the first bracket. PHP, Rails and ASP.NET read `api_key` from `API_KEY`, `api.key` or `api_key[]`.
 */
export const spellingsOf = (name: string): readonly string[] => [spelled(name.split('[', 1)[0] ?? ''), spelled(name)]

const spelled = (name: string): string =>
  (name.split('\u0000', 1)[0] ?? '')
    .trim()
    .toLowerCase()
    .replace(/[\s.\-[]/g, '_')
    .replaceAll(']', '')

/** Whether some server reads both names as one. */
export const readAlike = (one: string, other: string): boolean => {
  const spellings = spellingsOf(other)
  return spellingsOf(one).some((spelling) => spellings.includes(spelling))
}
