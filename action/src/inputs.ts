// The inputs of a step, as the runner hands them over: read at once, with everything that is wrong with them.
import type { Surroundings } from './surroundings.ts'

export const PUBLISH = ['merged', 'always', 'never'] as const
export const COMMENT = ['changes', 'always', 'never'] as const
export const FAIL_ON = ['problems', 'undeclared', 'never'] as const
export const WITHOUT_KEY = ['skip', 'fail'] as const

export type Inputs = {
  readonly serviceUrl: string
  /** Null where the step was given none. */
  readonly apiKey: string | null
  readonly openapi: { readonly path: string; readonly baseUrl: string } | null
  readonly operations: string | null
  readonly knowledge: readonly string[]
  readonly knowledgeRoot: string
  readonly vocabulary: string | null
  readonly publish: (typeof PUBLISH)[number]
  readonly branch: string | null
  readonly comment: (typeof COMMENT)[number]
  readonly commentName: string
  readonly failOn: (typeof FAIL_ON)[number]
  readonly withoutKey: (typeof WITHOUT_KEY)[number]
  readonly token: string | null
}

/** The form of a key of the service: whatever has it is hidden, whether it is of use here or not. */
const KEY = /^t[a-z]{2}_[0-9a-f]{48}$/
const CI_KEY = /^tci_/
const LOOPBACK = /^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/

export type InputsRead = { readonly inputs: Inputs } | { readonly faults: readonly string[] }

export function inputOf({ env }: Pick<Surroundings, 'env'>, name: string): string {
  const variable = `INPUT_${name.toUpperCase()}`
  return (Object.hasOwn(env, variable) ? (env[variable] ?? '') : '').trim()
}

export function readInputs(surroundings: Pick<Surroundings, 'env'>): InputsRead {
  const faults: string[] = []
  const text = (name: string) => inputOf(surroundings, name)
  const optional = (name: string) => text(name) || null
  const oneOf = <const Words extends readonly string[]>(name: string, words: Words): Words[number] => {
    const found = words.find((word) => word === (text(name) || words[0]))
    if (found === undefined) faults.push(`${name} must be one of ${words.join(', ')}.`)
    return found ?? words[0] ?? ''
  }
  const inputs: Inputs = {
    serviceUrl: readServiceUrl(text('service-url'), faults),
    apiKey: readKey(text('api-key'), faults),
    openapi: readOpenapi(text('openapi'), text('openapi-base-url'), faults),
    operations: optional('operations'),
    knowledge: text('knowledge')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
    knowledgeRoot: text('knowledge-root').replace(/^\.?\/|\/+$/g, ''),
    vocabulary: optional('vocabulary'),
    publish: oneOf('publish', PUBLISH),
    branch: optional('branch'),
    comment: oneOf('comment', COMMENT),
    commentName: readName(text('comment-name'), faults),
    failOn: oneOf('fail-on', FAIL_ON),
    withoutKey: oneOf('without-key', WITHOUT_KEY),
    token: optional('github-token'),
  }
  faults.push(...contradictions(inputs))
  return faults.length > 0 ? { faults } : { inputs }
}

function contradictions({ openapi, operations, knowledge, vocabulary, token, comment }: Inputs): string[] {
  const faults: string[] = []
  if (openapi === null && knowledge.length === 0 && vocabulary === null)
    faults.push('There is nothing to do. Set openapi, knowledge or vocabulary.')
  if (operations !== null && openapi === null)
    faults.push('operations declares the operations of a document. Set openapi as well, or leave it out.')
  if (knowledge.length > 0 && knowledge.every((pattern) => pattern.startsWith('!')))
    faults.push('knowledge only leaves files out. Add a pattern of those that it takes, such as docs/**/*.md.')
  if (token !== null && /[\s\p{Cc}]/u.test(token))
    faults.push('github-token has a space or a line break in it. Leave it out for the token of the job.')
  if (token === null && comment === 'always')
    faults.push('github-token is empty, and without it there is no comment. Leave it out, or set comment to never.')
  return faults
}

function readServiceUrl(text: string, faults: string[]): string {
  const url = text.replace(/\/+$/, '')
  if (url === '') faults.push('service-url is missing. Set it to the address of the service.')
  else if (!/^https:\/\/[^/\s?#@]+$/.test(url) && !LOOPBACK.test(url))
    faults.push('service-url must be an https address without a path, such as https://assistant.example.com.')
  return url
}

/** The fault never quotes what was given. */
function readKey(key: string, faults: string[]): string | null {
  if (key === '') return null
  if (!KEY.test(key)) {
    faults.push(
      'api-key does not look like a key of the service. Set it to a secret that holds a CI key (tci_…), without quotes.',
    )
  } else if (!CI_KEY.test(key)) {
    faults.push(
      'api-key is of a kind that may do more than a pipeline should. Issue a CI key (POST /v1/account/keys with kind "ci"), and revoke this one if a log may have it.',
    )
  }
  return key
}

function readOpenapi(path: string, baseUrl: string, faults: string[]): Inputs['openapi'] {
  if (path === '' && baseUrl === '') return null
  if (path === '') faults.push('openapi-base-url says where a document’s operations are called. Set openapi as well.')
  if (baseUrl === '')
    faults.push('openapi-base-url is missing. Set it to the address at which the operations are called.')
  return { path, baseUrl }
}

function readName(name: string, faults: string[]): string {
  if (name !== '' && !/^[a-z0-9-]{1,40}$/.test(name))
    faults.push('comment-name takes 1 to 40 lower-case letters, digits and hyphens.')
  return name || 'tether'
}
