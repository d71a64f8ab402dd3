// One run of the step: reads, asks, says. It confirms nothing, registers nothing and accepts nothing: a CI key could not.
import { draftApi } from './api.ts'
import { type Written, writeComment } from './comment.ts'
import { bringDocuments } from './documents.ts'
import { type Event, mayPublish, readEvent } from './event.ts'
import { type GitHub, GitHubRefused, openGitHub } from './github.ts'
import { type Inputs, inputOf, readInputs } from './inputs.ts'
import { openLine } from './line.ts'
import { counted } from './markdown.ts'
import { orProblem, type Problem } from './problem.ts'
import { changesOf, documentsOf, type Report, reportJson, reportText, saysSomething, undeclaredOf } from './report.ts'
import { openRunner, type Runner } from './runner.ts'
import type { Surroundings } from './surroundings.ts'
import { openService, type Service } from './tether.ts'
import { suggestWords } from './vocabulary.ts'
import { openWorkspace } from './workspace.ts'

/** Answers the exit code. */
export async function run(surroundings: Surroundings): Promise<0 | 1> {
  const runner = openRunner(surroundings)
  // Before anything else, so that no fault can show them.
  for (const name of ['api-key', 'github-token']) runner.mask(inputOf(surroundings, name))
  const read = readInputs(surroundings)
  if ('faults' in read) {
    for (const fault of read.faults) runner.fail(fault)
    return 1
  }
  const event = readEvent(surroundings)
  if (event === null) {
    runner.fail('GITHUB_REPOSITORY is missing, so this is no runner of GitHub. Use the CLI instead.')
    return 1
  }
  const { inputs } = read
  if (inputs.apiKey === null) return withoutKey(inputs, event, runner)
  try {
    return await work({ inputs, event, runner, surroundings }, inputs.apiKey)
  } catch (error) {
    // A stack would be longer than what helps, and could hold what may not be shown.
    runner.fail(
      `This is a fault of the action, not of your change. ${error instanceof Error ? error.message : ''} Please report it.`,
    )
    return 1
  }
}

function withoutKey({ withoutKey }: Inputs, { isWithheld }: Event, runner: Runner): 0 | 1 {
  if (!isWithheld) {
    runner.fail('api-key is empty. Put a CI key into a secret of the repository, and set api-key to it.')
    return 1
  }
  const said =
    'GitHub hands no secrets to a pull request of a fork or of Dependabot, so nothing was asked of the service.'
  const next = 'Once it is merged, the run of the branch does it.'
  if (withoutKey === 'fail') {
    runner.fail(`${said} This fails because without-key is "fail".`)
    return 1
  }
  runner.notice(`${said} ${next}`)
  runner.summary(`### Tether\n\n${said} ${next}`)
  return 0
}

type Run = {
  readonly inputs: Inputs
  readonly event: Event
  readonly runner: Runner
  readonly surroundings: Surroundings
}

async function work(run: Run, apiKey: string): Promise<0 | 1> {
  const { inputs, event, runner, surroundings } = run
  const line = openLine(surroundings)
  const github = inputs.token === null ? null : openGitHub(line, inputs.token, event)
  const report = await look(run, openService(line, inputs.serviceUrl, apiKey), github)
  const { commit, runUrl, pull } = event
  const setting = {
    serviceUrl: inputs.serviceUrl,
    isPull: pull !== null,
    operations: inputs.operations,
    commit,
    runUrl,
  }
  const text = runner.clean(reportText(report, setting))
  runner.summary(text)
  for (const { what, said, next } of report.problems)
    runner.fail([what, ...(said === undefined ? [] : [`“${said}”.`]), next].join(' '))
  const isCommented = await comment(run, github, text, saysSomething(report))
  outputs(runner, report)
  runner.say(
    `Found ${counted(changesOf(report), 'change')} of the API, ${counted(documentsOf(report), 'document')} to send, ${counted(report.problems.length, 'problem')}.`,
  )
  if (inputs.failOn === 'never') return 0
  const isUndeclared = inputs.failOn === 'undeclared' && undeclaredOf(report).length > 0
  if (isUndeclared)
    runner.fail(`${counted(undeclaredOf(report).length, 'new operation')} not declared, and fail-on is "undeclared".`)
  return report.problems.length > 0 || isUndeclared || !isCommented ? 1 : 0
}

async function look({ inputs, event, surroundings }: Run, service: Service, github: GitHub | null): Promise<Report> {
  const workspace = openWorkspace(surroundings.env.GITHUB_WORKSPACE ?? '.', event.commit)
  const isSent = mayPublish(inputs, event)
  const problems: Problem[] = []
  const textAt = async (commit: string | null, file: string): Promise<string | null | undefined> => {
    if (github === null || commit === null) return undefined
    return await github.fileAt(commit, file).catch((error: unknown) => {
      if (error instanceof GitHubRefused) return undefined
      throw error
    })
  }
  const { openapi, operations, knowledge, knowledgeRoot: root, vocabulary } = inputs
  const before = async () => await textAt(event.before, openapi?.path ?? '')
  const note = `From ${event.repository}, ${event.pull === null ? `branch ${event.branch}` : `pull request ${event.pull.number}`}.`
  return {
    api:
      openapi === null
        ? null
        : await orProblem(() => draftApi({ service, workspace, openapi, operations, before }, problems), problems),
    documents:
      knowledge.length === 0
        ? null
        : await orProblem(
            () => bringDocuments({ service, workspace, patterns: knowledge, root, isSent, textAt }, problems),
            problems,
          ),
    vocabulary:
      vocabulary === null
        ? null
        : await orProblem(() => suggestWords({ service, workspace, file: vocabulary, isSent, note }), problems),
    problems,
  }
}

/** Whether the comment is as it should be. That of a fork cannot be, and GitHub’s bad days are not this change’s fault. */
async function comment(
  { inputs, event, runner }: Run,
  github: GitHub | null,
  text: string,
  isNeeded: boolean,
): Promise<boolean> {
  if (event.pull === null || inputs.comment === 'never' || github === null) return true
  const { commentName: name, comment: when } = inputs
  const writing = { name, runId: event.runId, text, isWanted: when === 'always' || isNeeded }
  try {
    told(await writeComment(github, writing), runner)
    return true
  } catch (error) {
    if (!(error instanceof GitHubRefused)) throw error
    if (error.status === 0 || error.status === 429 || error.status >= 500) {
      runner.warn(
        `The comment was not written. ${error.message} The summary of the run says the same; run the job again for the comment.`,
      )
      return true
    }
    if (event.isWithheld) {
      runner.notice(
        `The comment was not written, because a fork’s pull request has a token that only reads. The summary of the run says the same.`,
      )
      return true
    }
    runner.fail(
      `The comment was not written. ${error.message} Give the job \`permissions: pull-requests: write\`, or set comment to never.`,
    )
    return false
  }
}

function told(written: Written, runner: Runner): void {
  if (written === 'nothing to say') {
    runner.say('No comment was needed.')
  } else {
    runner.output('comment-url', written.url)
    runner.say(written.isLater ? 'A later run has written the comment.' : `The comment is ${written.url}`)
  }
}

function outputs(runner: Runner, report: Report): void {
  runner.output('changes', changesOf(report))
  runner.output('undeclared', undeclaredOf(report).length)
  runner.output('documents', documentsOf(report))
  runner.output('suggestion', report.vocabulary?.suggestion ?? '')
  runner.output('problems', report.problems.length)
  runner.output('report', reportJson(report))
}
