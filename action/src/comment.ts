// The one comment of a pull request: written once, changed by each later run, found by a mark that no reader sees.
import { type Comment, type GitHub, GitHubRefused } from './github.ts'

export type Written =
  /** `isLater`: a run that began after this one has written it. */
  { readonly url: string; readonly isLater: boolean } | 'nothing to say'

const MOST_ATTEMPTS = 3
/** GitHub takes 65,536 characters. */
const LONGEST = 60_000

const markOf = (name: string, runId: string): string => `<!-- tether-action:${name} run:${runId} -->`

/** The number of the run that wrote it. Only at the beginning, so that a comment which quotes ours is not taken for it. */
function runOf(name: string, body: string): number | null {
  const run = new RegExp(`^<!-- tether-action:${name} run:(\\d+) -->`).exec(body)?.[1]
  return run === undefined ? null : Number(run)
}

type Writing = {
  readonly name: string
  readonly runId: string
  readonly text: string
  /** Whether a comment is made where there is none. One that is there is always brought up to date. */
  readonly isWanted: boolean
}

/** @throws GitHubRefused */
export async function writeComment(github: GitHub, writing: Writing): Promise<Written> {
  const body = `${markOf(writing.name, writing.runId)}\n${fitting(writing.text)}`
  for (let attempt = 1; ; attempt++) {
    try {
      const found = await findOurs(github, writing.name)
      if (found.length === 0 && !writing.isWanted) return 'nothing to say'
      return await settle(
        github,
        found.length > 0 ? found : await begin(github, writing.name, body),
        writing.name,
        body,
      )
    } catch (error) {
      if (!(error instanceof GitHubRefused) || !error.isUnsettled || attempt === MOST_ATTEMPTS) throw error
    }
  }
}

/** Two runs that saw no comment may each write one. Both look again, and see both. */
async function begin(github: GitHub, name: string, body: string): Promise<Comment[]> {
  const posted = await github.post(body)
  const others = await findOurs(github, name)
  return [posted, ...others.filter(({ id }) => id !== posted.id)].sort((one, other) => one.id - other.id)
}

/** The first comment stays, with the words of the latest run: whoever sees the same comments comes to the same. */
async function settle(github: GitHub, ours: readonly Comment[], name: string, mine: string): Promise<Written> {
  const run = (body: string) => runOf(name, body) ?? 0
  const newest = ours.reduce((latest, { body }) => (run(body) > run(latest) ? body : latest), mine)
  const [first, ...others] = ours
  if (first === undefined) throw new Error('there is no comment to settle on')
  const written = first.body === newest ? first : await github.edit(first.id, newest)
  for (const { id } of others) await github.remove(id)
  return { url: written.url, isLater: newest !== mine }
}

async function findOurs(github: GitHub, name: string): Promise<Comment[]> {
  const marked = (await github.comments()).filter(({ body }) => runOf(name, body) !== null)
  // Anybody can write the mark. Workflows and apps write as bots; a person's token tells whose it is.
  const me = marked.every(({ isBot }) => isBot) ? null : await github.myName()
  return marked.filter(({ isBot, author }) => isBot || (me !== null && author === me))
}

function fitting(text: string): string {
  if (text.length <= LONGEST) return text
  const whole = text.slice(0, text.lastIndexOf('\n', LONGEST))
  return `${whole}\n\nThere is more, which a comment has no room for. The summary of the run has it.`
}
