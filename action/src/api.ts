// What the document of the API changes: against the catalog that is registered, and against what was in the repository before.
import { code } from './markdown.ts'
import { Failed, orProblem, type Problem } from './problem.ts'
import type { Draft, Operation, Service } from './tether.ts'
import type { Workspace } from './workspace.ts'

export type Place = { readonly name: string; readonly method: string; readonly path: string }
export type Fresh = Place & {
  readonly description: string
  readonly looksLikeWrite: boolean
  readonly isDeclared: boolean
}
export type ApiReport = {
  readonly path: string
  /** Nothing was imported yet, so that everything is new. */
  readonly isFirst: boolean
  readonly operations: number
  /** By this change. */
  readonly added: readonly Fresh[]
  readonly changed: readonly Place[]
  readonly removed: readonly Place[]
  /** From before this change: left out of the catalog, or not imported yet. Null where nobody can tell what was there before. */
  readonly earlier: { readonly added: number; readonly changed: number; readonly removed: number } | null
  readonly notes: readonly string[]
}

type Asking = {
  readonly service: Service
  readonly workspace: Workspace
  readonly openapi: { readonly path: string; readonly baseUrl: string }
  readonly operations: string | null
  /** The document as it was before; null where there was none, undefined where nobody can tell. */
  readonly before: () => Promise<string | null | undefined>
}

/** @throws Failed */
export async function draftApi(asking: Asking, problems: Problem[]): Promise<ApiReport> {
  const { service, workspace, openapi } = asking
  const source = workspace.sourceOf(openapi.path)
  const draft = await service.draft(workspace.read(openapi.path), openapi.baseUrl, source)
  const declared = await declaredIn(asking, draft, problems)
  const before = await draftBefore(asking, source)
  const changes = draft.changes ?? { added: draft.operations, changed: [], removed: [] }
  const split = splitBy(draft, before)
  const [added, changed, removed] = [split(changes.added), split(changes.changed), split(changes.removed)]
  const byName = new Map(draft.operations.map((operation) => [operation.name, operation]))
  return {
    path: openapi.path,
    isFirst: draft.changes === undefined,
    operations: draft.operations.length,
    added: added.here.map((place) => freshOf(place, byName.get(place.name), declared)),
    changed: changed.here,
    removed: removed.here,
    earlier: before === undefined ? null : { added: added.earlier, changed: changed.earlier, removed: removed.earlier },
    notes: (draft.notes ?? []).map(({ message }) => message),
  }
}

/** A document that was there before and could not be read then tells nothing. */
async function draftBefore({ service, openapi, before }: Asking, source: Parameters<Service['draft']>[2]) {
  const text = await before()
  if (text === undefined || text === null) return text
  try {
    return await service.draft(text, openapi.baseUrl, source)
  } catch (error) {
    if (error instanceof Failed) return undefined
    throw error
  }
}

const keyOf = ({ method, path }: Pick<Place, 'method' | 'path'>): string => `${method} ${path}`

const shapes = ({ operations }: Draft): ReadonlyMap<string, string> =>
  new Map(operations.map((operation) => [keyOf(operation), JSON.stringify(operation)]))

/** Tells what this change did from what was so already. */
function splitBy(draft: Draft, before: Draft | null | undefined) {
  const [now, then] = [shapes(draft), before ? shapes(before) : new Map<string, string>()]
  return (places: readonly Place[]): { here: Place[]; earlier: number } => {
    const here =
      before === undefined ? [...places] : places.filter((place) => now.get(keyOf(place)) !== then.get(keyOf(place)))
    return { here, earlier: places.length - here.length }
  }
}

const freshOf = (place: Place, operation: Operation | undefined, declared: ReadonlySet<string> | null): Fresh => ({
  ...place,
  description: operation?.description ?? '',
  looksLikeWrite: operation?.suggested_is_write === true,
  isDeclared: declared?.has(place.name) === true,
})

/** Null where nobody said where they are, or they cannot be read. */
async function declaredIn({ workspace, operations: file }: Asking, draft: Draft, problems: Problem[]) {
  if (file === null) return null
  const declared = await orProblem(async () => readDeclarations(workspace.read(file), file), problems)
  if (declared !== null) problems.push(...strayDeclarations(declared, draft, file))
  return declared
}

function readDeclarations(text: string, file: string): ReadonlySet<string> {
  const next =
    'Write an object of declarations by the names of the operations, as the import takes it: {"list_orders": {"is_write": false}}.'
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new Failed({ what: `${code(file)} is not JSON.`, said: error instanceof Error ? error.message : '', next })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Failed({ what: `${code(file)} holds no declarations.`, next })
  return new Set(Object.keys(value))
}

/** An import that declares what the document lacks is refused. */
function strayDeclarations(declared: ReadonlySet<string>, { operations }: Draft, file: string): Problem[] {
  const names = new Set(operations.map(({ name }) => name))
  const stray = [...declared].filter((name) => !names.has(name))
  if (stray.length === 0) return []
  return [
    {
      what: `${code(file)} declares what the document does not have, so that its import would be refused.`,
      said: stray.join(', '),
      next: 'Remove these, or rename them to what the draft calls the operations now.',
    },
  ]
}
