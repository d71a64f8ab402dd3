// What the step found out, in the words of the comment and of the summary.
import type { ApiReport, Fresh, Place } from './api.ts'
import type { DocumentChange, DocumentsReport } from './documents.ts'
import { code, counted } from './markdown.ts'
import type { Problem } from './problem.ts'
import type { VocabularyReport } from './vocabulary.ts'

export type Report = {
  readonly api: ApiReport | null
  readonly documents: DocumentsReport | null
  readonly vocabulary: VocabularyReport | null
  readonly problems: readonly Problem[]
}
export type Setting = {
  readonly serviceUrl: string
  /** For a pull request; otherwise for a branch. */
  readonly isPull: boolean
  readonly operations: string | null
  readonly commit: string
  readonly runUrl: string
}

/** An output takes a megabyte. */
const MOST_NAMED = 1_000
const MOST_LISTED = 40
const LONGEST_SAID = 600

export const undeclaredOf = ({ api }: Report): readonly Fresh[] =>
  api?.added.filter(({ isDeclared }) => !isDeclared) ?? []

export function changesOf({ api }: Report): number {
  return api === null ? 0 : api.added.length + api.changed.length + api.removed.length
}
export const documentsOf = ({ documents }: Report): number =>
  documents === null ? 0 : documents.added.length + documents.replaced.length

/** Whether a reader would miss something without the comment. */
export const saysSomething = (report: Report): boolean =>
  changesOf(report) + documentsOf(report) + report.problems.length > 0 ||
  Object.keys(report.vocabulary?.fresh ?? {}).length > 0

/** What a later step may decide by: names, and no words. */
export function reportJson(report: Report): string {
  const { api, documents, vocabulary, problems } = report
  const names = (some: readonly { readonly name: string }[] = []) => some.slice(0, MOST_NAMED).map(({ name }) => name)
  return JSON.stringify({
    added: names(api?.added),
    changed: names(api?.changed),
    removed: names(api?.removed),
    undeclared: names(undeclaredOf(report)),
    documents: {
      added: names(documents?.added),
      replaced: names(documents?.replaced),
      isSent: documents?.isSent ?? false,
    },
    domains: Object.keys(vocabulary?.fresh ?? {}),
    problems: problems.length,
  })
}

export function reportText(report: Report, setting: Setting): string {
  const { api, documents, vocabulary, problems } = report
  const sections = [
    ['### What this changes for the assistant'],
    problems.length === 0 ? [] : problemLines(problems),
    api === null ? [] : apiLines(api, setting),
    api === null ? [] : declareLines(report, setting),
    documents === null ? [] : documentLines(documents, setting),
    vocabulary === null ? [] : vocabularyLines(vocabulary, setting),
    saysSomething(report) ? [] : ['Nothing.'],
    [
      `<sub>${setting.commit === '' ? '' : `Commit ${code(setting.commit.slice(0, 12))} · `}[the run](${setting.runUrl})</sub>`,
    ],
  ]
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')
}

function listed<T>(all: readonly T[], line: (one: T) => string): string[] {
  const rest = all.length - MOST_LISTED
  return [...all.slice(0, MOST_LISTED).map((one) => `- ${line(one)}`), ...(rest > 0 ? [`- … and ${rest} more`] : [])]
}

const problemLines = (problems: readonly Problem[]): string[] => [
  `#### What went wrong`,
  '',
  ...listed(problems, ({ what, said, next }) =>
    [what, ...(said === undefined ? [] : [`${code(said, LONGEST_SAID)}.`]), next].join(' '),
  ),
]

const placeOf = ({ name, method, path }: Place): string => `${code(`${method} ${path}`)} (${code(name)})`

function apiLines(api: ApiReport, { serviceUrl }: Setting): string[] {
  const { added, changed, removed, earlier } = api
  const changes = [
    ...listed(added, ({ description, looksLikeWrite, ...place }) => {
      const words = description === '' ? '' : `: ${code(description)}`
      return `**New** ${placeOf(place)}, which looks like a ${looksLikeWrite ? 'write' : 'read'}${words}`
    }),
    ...listed(changed, (place) => `**Changed** ${placeOf(place)}`),
    ...listed(removed, (place) => `**Gone** ${placeOf(place)}`),
  ]
  const before = earlier === null ? 0 : earlier.added + earlier.changed + earlier.removed
  return [
    `#### The API: ${code(api.path)}`,
    '',
    ...(changes.length === 0 ? [`${counted(api.operations, 'operation')}, and none of them changes.`] : changes),
    ...(changes.length === 0
      ? []
      : ['', `None of this counts before a person declares and registers it ([how](${serviceUrl}/docs/import)).`]),
    ...(api.isFirst ? ['', 'Nothing has been imported yet.'] : []),
    ...(before === 0 || earlier === null ? [] : ['', earlierLine(earlier)]),
    ...(api.notes.length === 0
      ? []
      : [
          '',
          '<details><summary>Left out of the document, or cut</summary>',
          '',
          ...listed(api.notes, (note) => code(note, LONGEST_SAID)),
          '',
          '</details>',
        ]),
  ]
}

function earlierLine({ added, changed, removed }: NonNullable<ApiReport['earlier']>): string {
  const parts = [
    ...(added === 0 ? [] : [`${counted(added, 'operation')} not in the catalog`]),
    ...(changed === 0 ? [] : [`${changed} changed`]),
    ...(removed === 0 ? [] : [`${removed} gone`]),
  ]
  return `From before this change: ${parts.join(', ')}.`
}

function declareLines(report: Report, { operations }: Setting): string[] {
  const undeclared = undeclaredOf(report)
  const changed = report.api?.changed ?? []
  if (undeclared.length + changed.length === 0) return []
  const file = operations === null ? 'with the import' : `in ${code(operations)}`
  return [
    '#### What a person has to say',
    '',
    ...(undeclared.length === 0
      ? []
      : [
          `Whether each of these writes, or that it is skipped, ${file}:`,
          '',
          ...listed(undeclared, ({ name }) => code(name)),
          '',
        ]),
    ...(changed.length === 0 ? [] : ['Whether what was declared still holds for what has changed above.']),
  ]
}

function documentLines({ added, replaced, same, orphans, isSent }: DocumentsReport, { isPull }: Setting): string[] {
  const line =
    (word: string) =>
    ({ name, path }: DocumentChange) =>
      `**${word}** ${code(name)}, from ${code(path)}`
  const changes = [...listed(added, line('New')), ...listed(replaced, line('Changed'))]
  const sent = isSent
    ? 'They were sent, except where it says otherwise above: the assistant answers from them now.'
    : whenSent(isPull)
  return [
    '#### Documents',
    '',
    ...(changes.length === 0 ? [`${counted(same, 'document')}, and none of them changes.`] : [...changes, '', sent]),
    ...(changes.length === 0 || same === 0
      ? []
      : ['', `${counted(same, 'other')} stay${same === 1 ? 's' : ''} the same.`]),
    ...(orphans.length === 0
      ? []
      : [
          '',
          'The files of these are gone, and a CI key deletes nothing. Delete them with a secret key:',
          '',
          ...listed(orphans, line('Left')),
        ]),
  ]
}

const whenSent = (isPull: boolean): string =>
  isPull
    ? 'They are sent once this is merged. Until then the assistant answers from what it has.'
    : 'They were not sent, because this run only looks.'

function vocabularyLines(
  { path, fresh, suggestion, isSent }: VocabularyReport,
  { isPull, serviceUrl }: Setting,
): string[] {
  const domains = Object.entries(fresh)
  if (domains.length === 0) return ['#### Vocabulary', '', `The pack has all words of ${code(path)}.`]
  const after = isPull
    ? 'They are suggested once this is merged.'
    : 'They were not suggested, because this run only looks.'
  const done =
    suggestion === null
      ? 'They could not be suggested.'
      : `They are suggested as ${code(suggestion)}, and wait for a person to accept them.`
  return [
    '#### Vocabulary',
    '',
    ...listed(domains, ([domain, words]) => `${code(domain)}: ${listedWords(words)}`),
    '',
    `${isSent ? done : after} ([What words do](${serviceUrl}/docs/vocabulary).)`,
  ]
}

function listedWords(words: readonly string[]): string {
  const rest = words.length - MOST_LISTED
  return [...words.slice(0, MOST_LISTED).map((word) => code(word, 60)), ...(rest > 0 ? [`and ${rest} more`] : [])].join(
    ', ',
  )
}
