// Documents go stale silently: a page keeps its link to a file that has moved, and a table keeps its claim. What can be held
// without judgement is held here: that every relative link leads somewhere, and that each requirement says how it stands.
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'

const REQUIREMENTS_PAGE = 'docs/security-asvs.md'

export function documentFaults(): string[] {
  const links = globSync('**/*.md', { exclude: ['**/node_modules/**', '.data/**'] })
    .sort()
    .flatMap((page) => linkFaults(page, readFileSync(page, 'utf8'), textOf))
  return [...links, ...requirementFaults(REQUIREMENTS_PAGE, readFileSync(REQUIREMENTS_PAGE, 'utf8'))]
}

/** The text of a file, an empty one for a folder, and undefined where there is neither. */
const textOf = (file: string): string | undefined => {
  if (!existsSync(file)) return undefined
  return statSync(file).isDirectory() ? '' : readFileSync(file, 'utf8')
}

const LINK = /\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g
const ELSEWHERE = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i

export function linkFaults(page: string, text: string, read: (file: string) => string | undefined): string[] {
  return linesOutsideCode(text).flatMap(([line, at]) =>
    [...line.matchAll(LINK)].flatMap(([, link = '']) => {
      const fault = ELSEWHERE.test(link) ? undefined : faultOfLink(page, link, read)
      return fault === undefined ? [] : [`${page}:${at}: the link to "${link}" ${fault}`]
    }),
  )
}

function faultOfLink(page: string, link: string, read: (file: string) => string | undefined): string | undefined {
  const [target = '', anchor] = link.split('#', 2)
  const file = target === '' ? page : path.posix.join(path.posix.dirname(page), decodeURI(target))
  const found = read(file)
  if (found === undefined) return 'leads nowhere. Name a file or a folder that exists, relative to this page.'
  if (anchor === undefined || !file.endsWith('.md') || anchorsOf(found).has(anchor)) return undefined
  return `names a heading that ${file} does not have. Take the words of one that it has, as its address shows them.`
}

/** As GitHub makes them: lower case, without signs, with a hyphen for each blank. */
const anchorsOf = (text: string): Set<string> =>
  new Set(
    linesOutsideCode(text).flatMap(([line]) => {
      const heading = /^#{1,6}\s+(.+?)\s*#*$/.exec(line)?.[1]
      if (heading === undefined) return []
      return [
        heading
          .toLowerCase()
          .replace(/[^\p{L}\p{M}\p{N}\s_-]/gu, '')
          .replace(/\s/g, '-'),
      ]
    }),
  )

/** Each line with its number, without what stands in code: a `](` there is no link. */
function linesOutsideCode(text: string): [line: string, at: number][] {
  let isCode = false
  return text.split('\n').flatMap((line, index): [string, number][] => {
    const isFence = /^\s*(```|~~~)/.test(line)
    if (isFence) isCode = !isCode
    return isCode || isFence ? [] : [[line.replace(/`[^`]*`/g, (code) => (code.includes('](') ? '' : code)), index + 1]]
  })
}

const STATES = ['held', 'operator', 'open', 'n/a']
/** Of the levels 1 and 2 in ASVS 5.0.0: a row that a merge loses is missed. */
const REQUIREMENTS = 253

export function requirementFaults(page: string, text: string, expected = REQUIREMENTS): string[] {
  const lines = text.split('\n')
  const rows = lines.flatMap((line, index) => (/^\| V\d/.test(line) ? [readRow(page, line, index + 1)] : []))
  const { size } = new Set(rows.map(({ number }) => number))
  const count = size === expected ? [] : [`${page}: ${size} requirements, and the standard has ${expected}.`]
  const listed = new Set(openList(lines))
  const open = new Set(rows.filter(({ state }) => state === 'open').map(({ number }) => number))
  return [
    ...count,
    ...rows.flatMap(({ faults }) => faults),
    ...without(open, listed).map((number) => `${page}: ${number} is open, and the list at the top lacks it.`),
    ...without(listed, open).map((number) => `${page}: the list at the top has ${number}, which is not open.`),
  ]
}

const without = (some: ReadonlySet<string>, others: ReadonlySet<string>): string[] =>
  [...some].filter((one) => !others.has(one))

type Row = { readonly number: string; readonly state: string; readonly faults: readonly string[] }

function readRow(page: string, line: string, at: number): Row {
  const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim())
  const [, number = '', level = '', , state = '', why = '', shown = ''] = cells
  const here = `${page}:${at}: ${number}`
  const faults = [
    ...(cells.length === 8 ? [] : [`${here} has ${cells.length - 2} cells, and a row has six.`]),
    ...(/^[12]$/.test(level) ? [] : [`${here} is of level "${level}": write 1 or 2.`]),
    ...(STATES.includes(state) ? [] : [`${here} stands as "${state}": write one of ${STATES.join(', ')}.`]),
    ...(why === '' ? [`${here} does not say what holds it, or why not.`] : []),
    ...(state === 'held' && !why.includes('](') ? [`${here} is held by nothing: link the file that holds it.`] : []),
    ...(state === 'held' && shown !== 'reading' && !shown.includes('](')
      ? [`${here} is shown by nothing: link the test, or write "reading".`]
      : []),
  ]
  return { number, state, faults }
}

/** The numbers in bold between the heading "Open" and the next one. */
function openList(lines: readonly string[]): string[] {
  const from = lines.indexOf('## Open')
  if (from < 0) return []
  const length = lines.slice(from + 1).findIndex((line) => line.startsWith('## '))
  const list = lines.slice(from + 1, length < 0 ? undefined : from + 1 + length)
  return list.flatMap((line) => [...line.matchAll(/\*\*(V[\d.]+)\*\*/g)].map(([, number = '']) => number))
}
