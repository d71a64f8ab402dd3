import { type Client, type Schemas, TetherError } from '../../../sdk/src/index.ts'
import { readText } from '../catalog-file.ts'
import { type Command, EXIT, type Given, oneWord, UsageError } from '../command.ts'
import { JsonFault, locate } from '../places.ts'
import { openProgress } from '../progress.ts'
import { oneLine, type Screen, wrap } from '../screen.ts'
import { counted } from './validate.ts'

export const TRIALS_FILE = 'trials.json'

/** As many as the service plays at a time, so that something is told in between. */
const AT_ONCE = 4
/** What the service takes for one request at most, and a little. */
const TIMEOUT_SECONDS = 150

type Answer = Schemas['TrialsAnswer']
type Result = Answer['results'][number]
type Asked = Record<string, unknown> & { readonly cases: readonly unknown[] }

export const trials: Command = {
  takes: '[file]',
  does: `Plays the cases of a file (${TRIALS_FILE}) against the registered catalog. Reaches neither your server nor a person.`,
  options: { transcript: { type: 'boolean', does: 'the transcript of what passed without a model, too' } },
  async run(given) {
    const name = given.words.length === 0 ? TRIALS_FILE : oneWord(given, 'one file of cases')
    const asked = readCases(name)
    const said = await play(given, asked)
    const { screen } = given
    if (screen.isJson) screen.json(said)
    else for (const result of said.results) showResult(given, result)
    return conclude(screen, said)
  },
}

function readCases(name: string): Asked {
  try {
    const { value } = locate(readText(name))
    const asked = (Array.isArray(value) ? { cases: value } : value) as Partial<Asked> | null
    if (Array.isArray(asked?.cases) && asked.cases.length > 0) return asked as Asked
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error
    throw new UsageError(`${name}:${error.place.line}:${error.place.column}: ${error.message}`)
  }
  throw new UsageError(
    `${name} has no cases. Write {"cases": [{"prompt": "…", "expect": {…}}]}; docs/trials.md shows one.`,
  )
}

async function play({ service, surroundings }: Given, { cases, ...rest }: Asked): Promise<Answer> {
  const client = service(TIMEOUT_SECONDS)
  const progress = openProgress(surroundings)
  const answers: Answer[] = []
  try {
    for (let at = 0; at < cases.length; at += AT_ONCE) {
      const failed = answers.reduce((sum, answer) => sum + answer.failed, 0)
      progress.now(`cases ${at} of ${cases.length}${failed === 0 ? '' : `, ${failed} failed`}`)
      answers.push(await playSome(client, { ...rest, cases: cases.slice(at, at + AT_ONCE) }, at))
    }
  } finally {
    progress.clear()
  }
  return together(answers)
}

async function playSome(client: Client, body: Asked, from: number): Promise<Answer> {
  try {
    return await client.request('POST /v1/tools/trials', { body: body as unknown as Schemas['TrialsRequest'] })
  } catch (error) {
    // The service counts from the first that it was sent.
    if (!(error instanceof TetherError) || error.status !== 400 || from === 0) throw error
    const { code, operation, status, requestId } = error
    const message = `Of the cases from number ${from + 1} on: ${error.message}`
    throw new TetherError(message, { code, operation, status, requestId, body: error.body })
  }
}

const sum = (answers: readonly Answer[], of: (answer: Answer) => number): number =>
  answers.reduce((all, answer) => all + Number(of(answer)), 0)

function together(answers: readonly Answer[]): Answer {
  const [first] = answers
  if (first === undefined) throw new UsageError('There are no cases.')
  return {
    ...first,
    passed: sum(answers, ({ passed }) => passed),
    failed: sum(answers, ({ failed }) => failed),
    costUsd: sum(answers, ({ costUsd }) => costUsd),
    offline:
      first.offline === null
        ? null
        : {
            passed: sum(answers, ({ offline }) => offline?.passed ?? 0),
            failed: sum(answers, ({ offline }) => offline?.failed ?? 0),
          },
    count: sum(answers, ({ count }) => count),
    results: answers.flatMap(({ results }) => results),
  }
}

function showResult({ screen, flags }: Given, { prompt, warnings, offline, ...run }: Result): void {
  const verdict = screen.paint(run.passed ? 'green' : 'red', run.passed ? 'pass' : 'FAIL')
  if (!screen.isTerminal) {
    const without = offline === undefined ? '' : offline.passed ? 'pass' : 'FAIL'
    screen.table([[run.passed ? 'pass' : 'FAIL', without, prompt]])
  } else {
    const without =
      offline === undefined || offline.passed === run.passed
        ? ''
        : `  (${offline.passed ? 'passes' : 'fails'} without a model)`
    screen.data(wrap(`${verdict}  ${oneLine(prompt)}${without}`, screen.width, 6))
  }
  for (const warning of warnings) screen.data(indented(screen, `! ${oneLine(warning)}`))
  if (!run.passed) showFailure(screen, run)
  else if (offline?.passed === false && flags.transcript === true) showFailure(screen, offline)
}

function showFailure(screen: Screen, { failures, transcript = [], error }: Schemas['TrialRun']): void {
  const { paint } = screen
  for (const failure of failures) screen.data(indented(screen, paint('red', `✖ ${oneLine(failure)}`)))
  if (error !== null) screen.data(indented(screen, `${error.code}: ${oneLine(error.message)}`))
  for (const { role, text, calls = [], tool } of transcript) {
    const who = tool === undefined ? role : `${role} ${tool}`
    if (text !== '') screen.data(indented(screen, `${paint('quiet', `${oneLine(who)}:`)} ${oneLine(text)}`))
    for (const call of calls)
      screen.data(
        indented(screen, `${paint('quiet', `${oneLine(who)} calls`)} ${oneLine(`${call.tool} ${call.arguments}`)}`),
      )
  }
}

const indented = ({ isTerminal, width }: Screen, text: string): string =>
  isTerminal ? wrap(`      ${text}`, width, 8) : `      ${text}`

function conclude(screen: Screen, { passed, failed, count, model, offline, costUsd }: Answer) {
  const cost = Number(costUsd) === 0 ? '' : ` It cost ${Number(costUsd)} USD.`
  const without = offline === null ? '' : ` Without a model: ${offline.passed} of ${count}.`
  const words = `${passed} of ${counted(count, 'case')} passed (${oneLine(model)}).${without}${cost}`
  if (failed === 0) screen.good(words)
  else screen.bad(words)
  return failed === 0 ? EXIT.ok : EXIT.no
}
