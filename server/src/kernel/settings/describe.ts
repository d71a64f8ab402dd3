// Makes the output of `npm run settings`, and the message of a refused start.
import type { Loaded, SettingReading } from './load.ts'
import { type DeclaredSetting, everySetting } from './schema.ts'

const WIDTH = 100
const INDENT = '      '

/** Lists every setting with its value, its source and its meaning. Secrets are masked. */
export function describeSettings({ sources }: Pick<Loaded, 'sources'>): string {
  const readings = new Map(sources.map((reading) => [reading.name, reading]))
  const groups = Map.groupBy(everySetting, ({ group }) => group)
  const blocks = [...groups].map(([group, members]) =>
    [
      ...wrap(`${group.name}: ${lowerFirst(group.meaning)}`, ''),
      ...members.flatMap((declared) => entryLines(declared, readings.get(declared.name))),
    ].join('\n'),
  )
  return `${blocks.join('\n\n')}\n`
}

function entryLines({ name, setting }: DeclaredSetting, reading: SettingReading | undefined): string[] {
  const shown = reading?.shown === '' ? '(not set)' : (reading?.shown ?? '(not set)')
  const source = reading?.source ?? 'default'
  // The full name, so that it can be found in this list and pasted.
  const start = `  ${name} = `
  const value = cut(shown, WIDTH - start.length)
  const origin = `(${source})`
  const fits = start.length + value.length + 2 + origin.length <= WIDTH
  const head = fits ? [`${start}${value}  ${origin}`] : [`${start}${value}`, cut(`${INDENT}${origin}`, WIDTH)]
  return [...head, ...wrap(setting.meaning, INDENT)]
}

const cut = (text: string, length: number): string => (text.length <= length ? text : `${text.slice(0, length - 1)}…`)

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

function wrap(text: string, indent: string): string[] {
  const lines: string[] = []
  let line = indent
  for (const word of text.split(' ')) {
    const longer = line === indent ? `${line}${word}` : `${line} ${word}`
    if (longer.length > WIDTH && line !== indent) {
      lines.push(line)
      line = `${indent}${word}`
    } else {
      line = longer
    }
  }
  return [...lines, line]
}

/** The message that the process prints before it ends, with all faults together. */
export function describeFaults(loaded: Loaded): string {
  if (loaded.ok) return ''
  const { faults } = loaded
  const title = faults.length === 1 ? 'One setting needs attention' : `${faults.length} settings need attention`
  const lines = faults.map(({ message }) => `  - ${message}`)
  return [
    `The service does not start. ${title}:`,
    '',
    ...lines,
    '',
    'To see every setting with its meaning, run: npm run settings',
    '',
  ].join('\n')
}
