// For what the step runs: a pull request, or a branch.
import { readFileSync } from 'node:fs'
import type { Inputs } from './inputs.ts'
import type { Surroundings } from './surroundings.ts'

export type Event = {
  readonly repository: string
  readonly apiUrl: string
  readonly runId: string
  readonly runUrl: string
  readonly commit: string
  readonly pull: { readonly number: number; readonly isFork: boolean } | null
  /** What it is compared with: the branch of the pull request, or what was there before the push. */
  readonly before: string | null
  /** The branch that it runs on. Null for a tag, and for a pull request. */
  readonly branch: string | null
  readonly defaultBranch: string | null
  /** GitHub hands no secrets to it. */
  readonly isWithheld: boolean
  /** What is in it was accepted into a branch; others (a merge queue, a comment) are about what was not. */
  readonly isOfBranch: boolean
}

const OF_A_BRANCH = ['push', 'schedule', 'workflow_dispatch', 'repository_dispatch']

type Payload = {
  readonly pull_request?: {
    readonly number?: unknown
    readonly head?: { readonly repo?: { readonly full_name?: unknown } | null }
    readonly base?: { readonly sha?: unknown; readonly repo?: { readonly full_name?: unknown } }
  }
  readonly before?: unknown
  readonly repository?: { readonly default_branch?: unknown }
}

/** Null where this is no runner of GitHub. */
export function readEvent({ env }: Pick<Surroundings, 'env'>): Event | null {
  const { GITHUB_REPOSITORY = '', GITHUB_REF = '', GITHUB_EVENT_NAME = '', GITHUB_RUN_ID = '0' } = env
  if (!/^[\w.-]+\/[\w.-]+$/.test(GITHUB_REPOSITORY)) return null
  const payload = readPayload(env.GITHUB_EVENT_PATH)
  const pull = readPull(payload)
  const server = env.GITHUB_SERVER_URL ?? 'https://github.com'
  return {
    repository: GITHUB_REPOSITORY,
    apiUrl: (env.GITHUB_API_URL ?? 'https://api.github.com').replace(/\/+$/, ''),
    runId: /^\d+$/.test(GITHUB_RUN_ID) ? GITHUB_RUN_ID : '0',
    runUrl: `${server}/${GITHUB_REPOSITORY}/actions/runs/${GITHUB_RUN_ID}`,
    commit: env.GITHUB_SHA ?? '',
    pull,
    before: commitOf(pull === null ? payload.before : payload.pull_request?.base?.sha),
    branch: pull === null ? (/^refs\/heads\/(.+)$/.exec(GITHUB_REF)?.[1] ?? null) : null,
    defaultBranch: textOf(payload.repository?.default_branch),
    isWithheld: pull?.isFork === true || env.GITHUB_ACTOR === 'dependabot[bot]',
    isOfBranch: pull === null && OF_A_BRANCH.includes(GITHUB_EVENT_NAME),
  }
}

function readPayload(file: string | undefined): Payload {
  if (file === undefined || file === '') return {}
  const payload: unknown = JSON.parse(readFileSync(file, 'utf8'))
  return typeof payload === 'object' && payload !== null ? payload : {}
}

function readPull({ pull_request: pull }: Payload): Event['pull'] {
  if (typeof pull?.number !== 'number') return null
  // The repository of a fork may be gone by now.
  return { number: pull.number, isFork: pull.head?.repo?.full_name !== pull.base?.repo?.full_name }
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** A branch that is new has had no commit before: GitHub writes zeros. */
const commitOf = (value: unknown): string | null =>
  typeof value === 'string' && /^[0-9a-f]{40,64}$/.test(value) && !/^0+$/.test(value) ? value : null

/** Whether documents and words are sent, or only said. What a fork proposes is never sent, whatever the workflow says. */
export function mayPublish({ publish, branch }: Inputs, event: Event): boolean {
  if (publish === 'never') return false
  if (event.pull !== null) return publish === 'always' && !event.pull.isFork
  if (!event.isOfBranch) return false
  return publish === 'always' || (event.branch !== null && event.branch === (branch ?? event.defaultBranch))
}
