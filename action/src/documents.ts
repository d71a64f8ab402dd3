// The documents that the assistant answers from: what would change, and, where that is asked for, sending it.
import path from 'node:path'
import { code } from './markdown.ts'
import { Failed, orProblem, type Problem } from './problem.ts'
import type { Service } from './tether.ts'
import type { Workspace } from './workspace.ts'

type Held = Awaited<ReturnType<Service['documents']>>['documents'][number]
export type DocumentChange = { readonly name: string; readonly path: string }
export type DocumentsReport = {
  readonly added: readonly DocumentChange[]
  readonly replaced: readonly DocumentChange[]
  readonly same: number
  /** Held, and their files are gone. */
  readonly orphans: readonly DocumentChange[]
  readonly isSent: boolean
}

type Asking = {
  readonly service: Service
  readonly workspace: Workspace
  readonly patterns: readonly string[]
  readonly root: string
  readonly isSent: boolean
  /** The text of a file at a commit, or undefined where nobody can tell. */
  readonly textAt: (commit: string, file: string) => Promise<string | null | undefined>
}
type Document = DocumentChange & { readonly text: string; readonly held: Held | undefined }

/** @throws Failed */
export async function bringDocuments(asking: Asking, problems: Problem[]): Promise<DocumentsReport> {
  const { service, workspace, patterns, root, isSent } = asking
  const files = workspace.match(patterns)
  if (files.length === 0)
    throw new Failed({
      what: 'No file fits the patterns of knowledge.',
      next: 'Check them, and that the repository was checked out before this step.',
    })
  const list = await service.documents()
  const byName = new Map(list.documents.map((document) => [document.name, document]))
  const documents = named(files, root, problems).flatMap((change): Document[] => {
    const held = byName.get(change.name)
    const text = readText(workspace, change, held, problems)
    return text === null ? [] : [{ ...change, text, held }]
  })
  const changed: Document[] = []
  for (const one of documents) if (!(await isSame(asking, one))) changed.push(one)
  const added = changed.filter(({ held }) => held === undefined)
  const room = list.limit - list.count
  if (added.length > room) problems.push(noRoom(added.length, room))
  const mayReplace = changed.length === added.length || (await service.mayReplace())
  if (!mayReplace) problems.push(mayNotReplace(changed.length - added.length))
  const allowed = changed.filter(({ held }) => held === undefined || mayReplace)
  if (isSent) for (const one of allowed) await orProblem(() => send(asking, one), problems)
  const shown = (some: readonly Document[]) => some.map(({ name, path: file }) => ({ name, path: file }))
  return {
    added: shown(added),
    replaced: shown(changed.filter(({ held }) => held !== undefined)),
    same: documents.length - changed.length,
    orphans: orphansAmong(list.documents, patterns, files),
    isSent,
  }
}

/** A name is the path below the root, with hyphens for what a name cannot hold. */
function nameOf(file: string, root: string): string {
  const below = root === '' ? file : path.posix.relative(root, file)
  const plain = below
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{Nd}_.-]+/gu, '-')
    .replace(/^[-.]+/, '')
  return plain
}

function named(files: readonly string[], root: string, problems: Problem[]): DocumentChange[] {
  const byName = Map.groupBy(files, (file) => nameOf(file, root))
  return [...byName].flatMap(([name, [first = '', ...others]]) => {
    if (others.length === 0) return [{ name, path: first }]
    problems.push({
      what: `${[first, ...others].map((file) => code(file)).join(' and ')} would be one document, ${code(name)}. None of them is sent.`,
      next: 'Rename one of them, or leave it out with a pattern that begins with !.',
    })
    return []
  })
}

function readText(
  workspace: Workspace,
  change: DocumentChange,
  held: Held | undefined,
  problems: Problem[],
): string | null {
  try {
    const text = workspace.read(change.path)
    // What a person wrote there, or another file, is not ours to replace.
    if (held !== undefined && held.source?.path !== change.path) throw new Failed(isOthers(change, held))
    return text
  } catch (error) {
    if (!(error instanceof Failed)) throw error
    problems.push(error.problem)
    return null
  }
}

const isOthers = ({ name, path: file }: DocumentChange, { source }: Held): Problem => ({
  what: `${code(file)} would replace the document ${code(name)}, which ${source ? `came from ${code(source.path)}` : 'a person added'}. It is left as it is.`,
  next: 'Rename the file, or delete that document with a secret key first.',
})

const noRoom = (added: number, room: number): Problem => ({
  what: `${added} documents are new, and the workspace has room for ${Math.max(0, room)}.`,
  next: 'Put several into one, or delete some with a secret key.',
})

const mayNotReplace = (count: number): Problem => ({
  what: `${count === 1 ? 'A document has' : `${count} documents have`} changed, and this CI key may only add new ones.`,
  next: 'Issue a CI key with "allowReplace": true, and put it into the secret.',
})

const letters = (text: string): number => Array.from(text).length

/** What is held is known by its length and by the commit that it came from; its text is not for a CI key to read. */
async function isSame({ textAt }: Asking, { held, text, path: file }: Document): Promise<boolean> {
  if (held === undefined || held.chars !== letters(text) || held.source === null || held.source.dirty) return false
  return (await textAt(held.source.commit, file)) === text
}

async function send({ service, workspace }: Asking, { name, path: file, text, held }: Document): Promise<void> {
  const format = /\.(?:md|markdown)$/i.test(file) ? 'markdown' : 'text'
  const replace = held === undefined ? {} : { replace: true }
  try {
    await service.putDocument({ name, format, text, source: workspace.sourceOf(file), ...replace })
  } catch (error) {
    if (!(error instanceof Failed)) throw error
    throw new Failed({ ...error.problem, what: `${code(file)} was not taken: ${error.problem.what}` })
  }
}

/** Of the files that the patterns would take, if they were still there. */
const orphansAmong = (
  held: readonly Held[],
  patterns: readonly string[],
  files: readonly string[],
): DocumentChange[] => {
  const present = new Set(files)
  const takes = (file: string) =>
    patterns.some((one) => !one.startsWith('!') && path.posix.matchesGlob(file, one)) &&
    !patterns.some((one) => one.startsWith('!') && path.posix.matchesGlob(file, one.slice(1)))
  return held.flatMap(({ name, source }) =>
    source !== null && !present.has(source.path) && takes(source.path) ? [{ name, path: source.path }] : [],
  )
}
