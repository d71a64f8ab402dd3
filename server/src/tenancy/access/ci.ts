// A CI key drafts. Whatever it sends says from which repository it comes, and what is live stays a person's to change.
import { type Refusal, refuse } from '../../kernel/http/index.ts'
import { isObject, type Json, member } from '../../kernel/json/index.ts'
import type { Asking } from '../context/index.ts'
import type { CiTerms } from './route.ts'

/** Returns null if this kind of key may send this body. */
export function refusedCi(kind: Asking['kind'], terms: CiTerms | undefined, body: unknown): Refusal | null {
  if (terms === undefined || (kind !== 'ci' && kind !== 'ci_replace')) return null
  const sent = (name: string): Json => (isObject(body) ? (member(body, name) ?? null) : null)
  const beyond = terms.draftWithout?.find((name) => sent(name) !== null && sent(name) !== false)
  if (beyond !== undefined) {
    return outOfReach(
      'ci_draft_only',
      `A CI key only makes the draft. Leave \`${beyond}\` out, and make this call with the secret key, from a server.`,
    )
  }
  if (terms.source === true && !namesRepository(sent('source'))) {
    return outOfReach(
      'ci_source_required',
      'A CI key says where its text comes from. Send `source`: `{"kind": "repository", "commit", "path", "dirty"}`.',
    )
  }
  if (terms.replace === true && sent('replace') === true && kind === 'ci') {
    return outOfReach(
      'ci_replace_not_allowed',
      'This CI key may not replace what is there. Leave `replace` out, or issue a key with `allowReplace: true`.',
    )
  }
  return null
}

/** Whether its other members can be read is for the route to say, in its own words. */
const namesRepository = (source: Json): boolean => isObject(source) && member(source, 'kind') === 'repository'

const outOfReach = (reason: string, message: string): Refusal => refuse('insufficient_scope', message, { reason })
