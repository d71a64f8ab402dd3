// What the step asks of Tether: what a CI key reaches, and nothing else.
import type { Schemas } from '../../sdk/src/index.ts'
import type { Answer, Asked, Line } from './line.ts'
import { Unanswered } from './line.ts'
import { Failed } from './problem.ts'
import type { Source } from './workspace.ts'

export type Draft = Pick<Schemas['NotImported'], 'changes' | 'notes'> & {
  readonly operations: NonNullable<Schemas['NotImported']['operations']>
}
export type Operation = Draft['operations'][number]

/** Every verb throws `Failed`. */
export type Service = {
  draft(document: string, baseUrl: string, source: Source): Promise<Draft>
  mayReplace(): Promise<boolean>
  documents(): Promise<Schemas['KnowledgeList']>
  putDocument(body: Schemas['KnowledgeRequest']): Promise<void>
  lexicon(): Promise<Schemas['Lexicon']>
  suggest(body: Schemas['DomainSuggestionRequest']): Promise<Schemas['DomainSuggestion']>
}

export function openService(line: Line, address: string, key: string): Service {
  const ask = async (method: Asked['method'], path: string, body?: unknown): Promise<Answer> => {
    try {
      // Whatever is asked here comes to the same when it is asked twice.
      const headers = { 'x-api-key': key, 'user-agent': 'tether-action/1' }
      return await line({ method, url: address + path, headers, body, mayRepeat: true })
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error
      throw new Failed({
        what: 'The service did not answer.',
        said: error.message,
        next: 'Check service-url, and that runners of GitHub can reach it. Then run the job again.',
      })
    }
  }
  const done = async <Body>(method: Asked['method'], path: string, body?: unknown): Promise<Body> => {
    const answer = await ask(method, path, body)
    if (answer.status === 200) return jsonOf<Body>(answer)
    throw refused(`${method} ${path}`, answer)
  }
  return {
    async draft(document, baseUrl, source) {
      const answer = await ask('POST', '/v1/tools/import', { document, baseUrl, source })
      // The draft is a refused import, on purpose.
      const { operations, ...body } = answer.status === 400 ? jsonOf<Partial<Schemas['NotImported']>>(answer) : {}
      if (operations === undefined) throw refused('POST /v1/tools/import', answer)
      return { ...body, operations }
    },
    mayReplace: async () => (await done<Schemas['Key']>('GET', '/v1/account/keys/self')).kind === 'ci_replace',
    documents: () => done('GET', '/v1/knowledge'),
    async putDocument(body) {
      await done('POST', '/v1/knowledge', body)
    },
    lexicon: async () => (await done<Schemas['DomainPack']>('GET', '/v1/domain-pack')).lexicon,
    suggest: (body) => done('POST', '/v1/domain-pack/suggestions', body),
  }
}

/** The types are made from what the service declares of its answers. What is no object (a proxy’s page) has none of their members. */
function jsonOf<Body>({ text }: Answer): Body {
  try {
    const value: unknown = JSON.parse(text)
    return (typeof value === 'object' && value !== null ? value : {}) as Body
  } catch {
    return {} as Body
  }
}

type Said = { readonly error?: { readonly message?: unknown; readonly code?: unknown } | string }

function refused(asked: string, answer: Answer): Failed {
  const { status, headers } = answer
  const { error } = jsonOf<Said>(answer)
  const said = typeof error === 'object' ? error.message : error
  const id = headers.get('x-request-id')
  const what = `${asked} answered ${status}${id === null || !/^[\w-]{1,64}$/.test(id) ? '' : ` (request ${id})`}.`
  return new Failed({ what, ...(typeof said === 'string' ? { said } : {}), next: nextAfter(status) })
}

function nextAfter(status: number): string {
  if (status === 401)
    return 'The key is not valid, or no longer. Issue a CI key, and put it into the secret that api-key names.'
  if (status === 429) return 'Run the job again later.'
  if (status >= 500) return 'Run the job again. If it stays so, ask whoever operates the service, and name the request.'
  if (status < 200 || (status >= 300 && status < 400))
    return 'service-url leads elsewhere. Set it to the address of the service itself.'
  return 'Change what it says, and push again.'
}
