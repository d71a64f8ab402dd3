// A person says of each operation what it does. Nothing is preselected, because a guess that is accepted by pressing Enter is a guess.
import { createInterface } from 'node:readline'
import type { Schemas } from '../../../sdk/src/index.ts'
import type { Given } from '../command.ts'
import { oneLine, type Screen, wrap } from '../screen.ts'
import type { Declaration, Declarations } from './operations-file.ts'

type Operation = NonNullable<Schemas['NotImported']['operations']>[number]
type Declaring = {
  readonly operations: readonly Operation[]
  /** How many were declared before. */
  readonly declared: number
  readonly kept: Declarations
  readonly keep: (now: Declarations) => void
}

const KINDS = { r: 'read', w: 'write', s: 'skip' } as const
const RISKS = { l: 'low', e: 'elevated', h: 'high' } as const

/** Null where somebody stopped. What they had said is kept. */
export async function declareEach(
  given: Given,
  { operations, declared, kept, keep }: Declaring,
): Promise<Declarations | null> {
  const { screen, surroundings } = given
  const lines = openLines(surroundings)
  const all = declared + operations.length
  let now = kept
  try {
    for (const [at, operation] of operations.entries()) {
      showOperation(screen, operation, `${declared + at + 1} of ${all}`)
      const said = await declarationOf(lines)
      if (said === null) return null
      now = { ...now, [operation.name]: said }
      keep(now)
    }
    return now
  } finally {
    lines.close()
  }
}

function showOperation(
  screen: Screen,
  { name, method, path, description, parameters, deprecated }: Operation,
  count: string,
): void {
  const { width } = screen
  screen.say('')
  screen.say(
    wrap(
      `${count}  ${oneLine(name)}  ${method} ${oneLine(path)}${deprecated === true ? '  (deprecated)' : ''}`,
      width,
      2,
    ),
  )
  screen.say(wrap(`  ${oneLine(description)}`, width, 2))
  const inputs = parameters.map((one) => `${oneLine(one.name)}${one.required ? '' : '?'}`)
  if (inputs.length > 0) screen.say(wrap(`  takes ${inputs.join(', ')}`, width, 4))
}

async function declarationOf(lines: Lines): Promise<Declaration | null> {
  const kind = await chosen(lines, 'Does it change anything? (r)ead (w)rite (s)kip (q)uit: ', KINDS)
  if (kind === null) return null
  if (kind === 'skip') return { skip: true }
  if (kind === 'read') return { is_write: false }
  const risk = await chosen(lines, 'What may a wrong one cost? (l)ow (e)levated (h)igh (q)uit: ', RISKS)
  return risk === null ? null : { is_write: true, risk }
}

/** Asks until it is one of them. Null for q, and where the input ends. */
async function chosen<Kind extends string>(
  lines: Lines,
  question: string,
  choices: Readonly<Record<string, Kind>>,
): Promise<Kind | null> {
  for (;;) {
    const said = await lines.ask(question)
    if (said === null) return null
    const word = said.trim().toLowerCase()
    if (word === 'q') return null
    const choice = Object.hasOwn(choices, word) ? choices[word] : Object.values(choices).find((one) => one === word)
    if (choice !== undefined) return choice
  }
}

type Lines = { ask(question: string): Promise<string | null>; close(): void }

/** What was typed before its question stood there answers none: it was meant for another. Null where the input ends. */
function openLines({ stdin, stderr }: Given['surroundings']): Lines {
  const lines = createInterface({ input: stdin, output: stderr })
  let hear: (said: string | null) => void = () => {}
  let isClosed = false
  lines.on('line', (said) => hear(said))
  lines.on('close', () => {
    isClosed = true
    hear(null)
  })
  return {
    ask: (question) =>
      new Promise((resolve) => {
        if (isClosed) return resolve(null)
        hear = (said) => {
          hear = () => {}
          resolve(said)
        }
        lines.setPrompt(question)
        lines.prompt()
      }),
    close: () => lines.close(),
  }
}
