// Documents go stale without anybody noticing: a file moves and the link to it stays. This checks what needs no judgement: every
// relative link leads to something that exists, and every requirement of the security table has a state and its evidence.
import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { findFiles } from './files.ts'

/** One table on two pages, the first of which has the list of what is open. */
const REQUIREMENTS_PAGES = ['docs/security-asvs.md', 'docs/security-asvs-2.md'] as const

export function documentFaults(): string[] {
  const links = findFiles('**/*.md', { exclude: ['.data/**', 'dist/**'] }).flatMap((page) => {
    const text = readFileSync(page, 'utf8')
    return [...linkFaults(page, text, textOf), ...nameFaults(page, text)]
  })
  return [
    ...links,
    ...requirementFaults(REQUIREMENTS_PAGES.map((page) => ({ page, text: readFileSync(page, 'utf8') }))),
  ]
}

/** Names that a page may be tempted to use for what the lines of sign-up set in a shell, and what they set. */
const SET_BY_SIGN_UP: Readonly<Record<string, string>> = {
  URL: 'TETHER_BASE_URL',
  BASE: 'TETHER_BASE_URL',
  TETHER: 'TETHER_BASE_URL',
  TETHER_URL: 'TETHER_BASE_URL',
  KEY: 'TETHER_API_KEY',
  SECRET: 'TETHER_API_KEY',
  TETHER_KEY: 'TETHER_API_KEY',
  SIGNING_SECRET: 'TETHER_SIGNING_SECRET',
}

/** A line that is copied from any page works with what sign-up said to paste. */
export function nameFaults(page: string, text: string): string[] {
  return text.split('\n').flatMap((line, at) =>
    [...line.matchAll(/(?:\$\{?|process\.env\.)([A-Z_]+)\b/g)].flatMap(([, name = '']) => {
      const right = SET_BY_SIGN_UP[name]
      return right === undefined
        ? []
        : [`${page}:${at + 1}: the name ${name} is ${right} in the lines that sign-up prints. Use that.`]
    }),
  )
}

/** The text of a file, an empty text for a folder, or undefined if neither exists. */
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
  if (found === undefined) return 'leads nowhere. Use the path of an existing file or folder, relative to this page.'
  if (anchor === undefined || !file.endsWith('.md') || anchorsOf(found).has(anchor)) return undefined
  return `names a heading that ${file} does not have. Use the anchor of an existing heading.`
}

/** GitHub's anchors of headings: lower case, without punctuation, with a hyphen for each space. */
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

/** The lines outside code blocks, with their numbers. Code that looks like a link is removed. */
function linesOutsideCode(text: string): [line: string, at: number][] {
  let isCode = false
  return text.split('\n').flatMap((line, index): [string, number][] => {
    const isFence = /^\s*(```|~~~)/.test(line)
    if (isFence) isCode = !isCode
    return isCode || isFence ? [] : [[line.replace(/`[^`]*`/g, (code) => (code.includes('](') ? '' : code)), index + 1]]
  })
}

const STATES = ['held', 'operator', 'open', 'n/a']
/** The requirements of levels 1 and 2 in ASVS 5.0.0, so that a row lost in a merge is noticed. */
const REQUIREMENTS = 253

type PageText = { readonly page: string; readonly text: string }

export function requirementFaults(pages: readonly PageText[], expected = REQUIREMENTS): string[] {
  const page = pages[0]?.page ?? ''
  const rows = pages.flatMap((one) =>
    one.text.split('\n').flatMap((line, index) => (/^\| V\d/.test(line) ? [readRow(one.page, line, index + 1)] : [])),
  )
  const { size } = new Set(rows.map(({ number }) => number))
  const count = size === expected ? [] : [`${page}: ${size} requirements, and the standard has ${expected}.`]
  const listed = new Set(openList(pages.flatMap(({ text }) => text.split('\n'))))
  const open = new Set(rows.filter(({ state }) => state === 'open').map(({ number }) => number))
  return [
    ...count,
    ...rows.flatMap(({ faults }) => faults),
    ...without(open, listed).map((number) => `${page}: ${number} is open, but missing from the list under "Open".`),
    ...without(listed, open).map((number) => `${page}: the list under "Open" has ${number}, which is not open.`),
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
    ...(/^[12]$/.test(level) ? [] : [`${here} has the level "${level}". Write 1 or 2.`]),
    ...(STATES.includes(state) ? [] : [`${here} has the state "${state}". Write one of ${STATES.join(', ')}.`]),
    ...(why === '' ? [`${here} has no reason. Say what holds it, or why not.`] : []),
    ...(state === 'held' && !why.includes('](')
      ? [`${here} is held, but links no code. Link the file that holds it.`]
      : []),
    ...(state === 'held' && shown !== 'reading' && !shown.includes('](')
      ? [`${here} is held, but links no test. Link one, or write "reading".`]
      : []),
  ]
  return { number, state, faults }
}

/** The numbers in bold under the heading "Open". */
function openList(lines: readonly string[]): string[] {
  const from = lines.indexOf('## Open')
  if (from < 0) return []
  const length = lines.slice(from + 1).findIndex((line) => line.startsWith('## '))
  const list = lines.slice(from + 1, length < 0 ? undefined : from + 1 + length)
  return list.flatMap((line) => [...line.matchAll(/\*\*(V[\d.]+)\*\*/g)].map(([, number = '']) => number))
}
