// What the step asks of GitHub: the comments of one pull request, and files as they were at a commit.
import type { Event } from './event.ts'
import { type Answer, type Asked, type Line, Unanswered } from './line.ts'

export type Comment = {
  readonly id: number
  readonly body: string
  readonly url: string
  readonly author: string
  readonly isBot: boolean
}

/** GitHub said no, or nothing. */
export class GitHubRefused extends Error {
  override readonly name = 'GitHubRefused'
  /** Of HTTP; 0 where no answer came. */
  readonly status: number
  /** A comment may be there all the same, or be gone: whoever wants to know looks. */
  readonly isUnsettled: boolean

  constructor(asked: string, status: number, isUnsettled = false) {
    super(status === 0 ? `GitHub did not answer ${asked}.` : `GitHub answered ${status} to ${asked}.`)
    this.status = status
    this.isUnsettled = isUnsettled
  }
}

/** Every verb throws `GitHubRefused`. */
export type GitHub = {
  comments(): Promise<Comment[]>
  post(body: string): Promise<Comment>
  edit(id: number, body: string): Promise<Comment>
  remove(id: number): Promise<void>
  /** Whose token this is. Null for that of a workflow or an app, which have no user. */
  myName(): Promise<string | null>
  /** Null where the commit has no such file. */
  fileAt(commit: string, path: string): Promise<string | null>
}

const PER_PAGE = 100
/** A pull request of more comments is not looked through further. */
const MOST_PAGES = 50
const AS_JSON = 'application/vnd.github+json'

type Asking = { readonly body?: unknown; readonly accept?: string; readonly mayRepeat?: boolean }

export function openGitHub(line: Line, token: string, { apiUrl, repository, pull }: Event): GitHub {
  const here = `${apiUrl}/repos/${repository}`
  const ask = async (method: Asked['method'], url: string, asking: Asking = {}): Promise<Answer> => {
    const { body, accept = AS_JSON, mayRepeat = true } = asking
    const headers = {
      authorization: `Bearer ${token}`,
      accept,
      'x-github-api-version': '2022-11-28',
      'user-agent': 'tether-action/1',
    }
    try {
      return await line({ method, url, headers, body, mayRepeat })
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error
      throw new GitHubRefused(`${method} ${new URL(url).pathname}`, 0, method === 'POST')
    }
  }
  const must = async (method: Asked['method'], url: string, asking: Asking = {}): Promise<Answer> => {
    const answer = await ask(method, url, asking)
    const { status } = answer
    if (status < 200 || status > 299) {
      const isUnsettled = (method === 'POST' && status >= 500) || (method === 'PATCH' && status === 404)
      throw new GitHubRefused(`${method} ${new URL(url).pathname}`, status, isUnsettled)
    }
    return answer
  }
  return {
    async comments() {
      const found: Comment[] = []
      for (let page = 1; page <= MOST_PAGES; page++) {
        const answer = await must('GET', `${here}/issues/${pull?.number}/comments?per_page=${PER_PAGE}&page=${page}`)
        found.push(...(JSON.parse(answer.text) as unknown[]).map(commentOf))
        if (!/;\s*rel="next"/.test(answer.headers.get('link') ?? '')) break
      }
      return found
    },
    async post(body) {
      // It may have been posted though no answer came: whoever calls looks before it is posted again.
      const answer = await must('POST', `${here}/issues/${pull?.number}/comments`, { body: { body }, mayRepeat: false })
      return commentOf(JSON.parse(answer.text))
    },
    edit: async (id, body) =>
      commentOf(JSON.parse((await must('PATCH', `${here}/issues/comments/${id}`, { body: { body } })).text)),
    async remove(id) {
      const { status } = await ask('DELETE', `${here}/issues/comments/${id}`)
      if (status !== 204 && status !== 404) throw new GitHubRefused('DELETE of a comment', status)
    },
    async myName() {
      const { status, text } = await ask('GET', `${apiUrl}/user`)
      if (status !== 200) return null
      const { login } = JSON.parse(text) as { login?: unknown }
      return typeof login === 'string' ? login : null
    },
    async fileAt(commit, path) {
      const place = path.split('/').map(encodeURIComponent).join('/')
      const asking = { accept: 'application/vnd.github.raw+json' }
      const answer = await ask('GET', `${here}/contents/${place}?ref=${commit}`, asking)
      if (answer.status === 404) return null
      if (answer.status !== 200) throw new GitHubRefused('GET of a file', answer.status)
      return answer.text.replace(/^\ufeff/, '')
    },
  }
}

function commentOf(value: unknown): Comment {
  const {
    id,
    body,
    html_url: url,
    user,
  } = value as {
    id: number
    body?: string | null
    html_url: string
    // Null where the account is gone.
    user?: { login: string; type: string } | null
  }
  return { id, body: body ?? '', url, author: user?.login ?? '', isBot: user?.type === 'Bot' }
}
