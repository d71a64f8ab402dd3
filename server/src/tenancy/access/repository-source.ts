import type { RepositorySource } from '@tether/contract'
import { isObject, type JsonObject, member, shown } from '../../kernel/json/index.ts'

type Read = { readonly source: RepositorySource | null } | { readonly fault: string }

const ACCEPTED = '`source` is `{"kind": "repository", "commit", "path", "dirty"}`'

/** From which repository something came, as its sender says. The fault names the member that is wrong. */
export function readSource(value: unknown): Read {
  if (value === undefined || value === null) return { source: null }
  if (!isObject(value)) return { fault: `${ACCEPTED}. Send such an object, or leave it out.` }
  const wrong = MEMBERS.find(({ name, fits }) => !fits(member(value, name)))
  if (wrong === undefined) return { source: asSent(value) }
  const sent = member(value, wrong.name)
  const is = sent === undefined || sent === null ? 'is missing' : `cannot be ${shown(sent)}`
  return { fault: `\`source.${wrong.name}\` ${is}: it is ${wrong.what}. ${ACCEPTED}.` }
}

const MEMBERS = [
  { name: 'kind', what: '"repository"', fits: (value: unknown) => value === 'repository' },
  {
    name: 'commit',
    what: 'the id of a commit, 7 to 64 hexadecimal digits',
    fits: (value: unknown) => typeof value === 'string' && /^[0-9a-f]{7,64}$/i.test(value),
  },
  { name: 'path', what: 'a path of 1 to 400 characters inside the repository, without `..`', fits: isPath },
  { name: 'dirty', what: 'true or false', fits: (value: unknown) => typeof value === 'boolean' },
] as const

const LONGEST_PATH = 400

function isPath(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > 2 * LONGEST_PATH || !value.isWellFormed()) return false
  const length = Array.from(value).length
  return length >= 1 && length <= LONGEST_PATH && !/^\/|(^|\/)\.\.(\/|$)|\p{Cc}/u.test(value)
}

// Each member was just found to fit. What else was sent is not kept.
const asSent = (value: JsonObject): RepositorySource =>
  Object.fromEntries(MEMBERS.map(({ name }) => [name, member(value, name)])) as RepositorySource
