import type { Imported, NotImported } from '@tether/contract'
import type { z } from 'zod'
import { inTurns } from '../../kernel/json/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import { type Catalogs, mostTools, validateCatalogInTurns } from '../../tools/catalog/index.ts'
import { savedImport } from './copy.ts'
import { sealCredential } from './credential.ts'
import { addFault, type Faults, noFaults, readDeclarations } from './declarations.ts'
import { lostNotes, type Note, noteOf } from './document/notes.ts'
import { openDocument } from './document/open-document.ts'
import { type ReadDocument, readOperations } from './document/operations.ts'
import type { openYamlQueue } from './document/read-yaml.ts'
import { DocumentRefused, type Reading } from './document/reading.ts'
import { draftOperations } from './draft.ts'
import { type InputType, openInputType } from './input-type.ts'
import { findImport } from './queries.ts'
import { changesAgainst, importedTools, listed } from './registered.ts'
import { type ImportRequest, readRequest } from './request.ts'
import { type Made, makeTools, tokensOf } from './tools.ts'
import { warningsOf } from './warnings.ts'

/** What the app hands to this room. */
export type ImportParts = { readonly catalogs: Catalogs; readonly yaml: ReturnType<typeof openYamlQueue> }
type Answer = z.input<typeof Imported>
type Refused = z.input<typeof NotImported>

/**
 * Makes a catalog from an OpenAPI document. Without declarations it answers the draft, which is refused on purpose: what
 * writes is for a person to say. Nothing is registered here.
 */
export async function importApi(
  ctx: Context,
  body: unknown,
  { catalogs, yaml }: ImportParts,
): Promise<Answer | Refused> {
  const read = await readRequest(ctx, body)
  if ('faults' in read) return { imported: false, error: read.faults.join(' ') }
  try {
    const reading = await openDocument(read.request.document, yaml(ctx.asking.tenantId))
    const registered = importedTools(await catalogs.of(ctx))
    const names = new Map([...registered].map(([key, { name }]) => [key, name]))
    const document = await inTurns(readOperations(reading, names))
    const opened = { reading, document, registered, typeOf: openInputType(reading) }
    const { operations } = read.request
    return operations === null
      ? await draft(ctx, read.request, opened)
      : await declare(ctx, { ...read.request, operations }, opened)
  } catch (error) {
    if (error instanceof DocumentRefused) return { imported: false, error: error.message }
    throw error
  }
}

type Opened = {
  readonly reading: Reading
  readonly document: ReadDocument
  readonly registered: ReturnType<typeof importedTools>
  readonly typeOf: InputType
}

const DECLARE =
  'This is the draft, and nothing was imported. Send the document again with operations: for each name {"is_write": true or false}, or {"skip": true}; skipUndeclared: true leaves out the others. docs/import.md shows every member.'

async function draft(ctx: Context, { source }: ImportRequest, opened: Opened): Promise<Refused> {
  const { reading, document, registered, typeOf } = opened
  const former = await ctx.db.one(findImport, { tenantId: ctx.asking.tenantId })
  return {
    imported: false,
    error: DECLARE,
    operations: await inTurns(draftOperations(reading, document.operations, typeOf)),
    source,
    notes: [...document.notes, ...lostNotes(reading.lost)],
    ...(former === undefined ? {} : { changes: changesAgainst(registered, document.operations, typeOf) }),
  }
}

type Declaring = ImportRequest & { readonly operations: NonNullable<ImportRequest['operations']> }

async function declare(ctx: Context, request: Declaring, opened: Opened): Promise<Answer | Refused> {
  const { reading, document, typeOf } = opened
  const { declared, skipped, faults, notes } = readDeclarations(request, document)
  if (declared.length > mostTools) addFault(faults, null, tooManyDeclared(declared.length))
  if (faults.found.length > 0) return refused(faults)
  const made = await inTurns(makeTools(reading, declared, typeOf))
  const catalog = made.map(({ tool }) => tool)
  const checked = await validateCatalogInTurns(catalog)
  if (!checked.ok) return catalogRefused(checked)
  const saved = await save(ctx, request, made.length)
  return {
    imported: true,
    baseUrl: saved.baseUrl,
    userToken: saved.userToken,
    credentialStored: saved.credential !== null,
    toolCount: checked.toolCount,
    writeToolCount: checked.writeToolCount,
    catalog,
    skipped: skipped.map(listed),
    warnings: made.flatMap((one) => [...warningsOf(one, typeOf)]),
    notes: [...document.notes, ...lostNotes(reading.lost), ...notes, ...trimmed(made), ...dropped(saved)],
    estimatedTokens: made.reduce((all, one) => all + tokensOf(one), 0),
    largestSchemas: largest(made),
    source: request.source,
  }
}

const tooManyDeclared = (count: number): string =>
  `${count} operations are declared, and a catalog holds at most ${mostTools} tools. Declare {"skip": true} for those that no assistant needs; skipUndeclared: true leaves out whatever you do not name.`

function refused(faults: Faults): Refused {
  const said = faults.found.map(({ operation, message }) => (operation === null ? message : `${operation} ${message}`))
  const more = faults.unlisted === 0 ? [] : [`${faults.unlisted} more faults are not listed.`]
  return { imported: false, error: [...said, ...more].join(' '), errors: faults.found }
}

/** The rules of the catalog hold for what was declared, too: a risk on a read, a precondition that names no tool. */
function catalogRefused({
  error,
  errors,
}: {
  error: string
  errors: { tool: string | null; message: string }[]
}): Refused {
  const faults = noFaults()
  for (const { tool, message } of errors) addFault(faults, tool, message)
  return { imported: false, error, errors: faults.found }
}

function save(ctx: Context, request: ImportRequest, toolCount: number) {
  const { tenantId } = ctx.asking
  const { baseUrl, userToken, credential, source } = request
  return savedImport(ctx, {
    tenantId,
    baseUrl,
    userToken: userToken ?? null,
    setCredential: credential !== undefined,
    credential: credential === undefined || credential === null ? null : sealCredential(ctx, tenantId, credential),
    source: source === null ? null : JSON.stringify(source),
    toolCount,
  })
}

const trimmed = (made: readonly Made[]): Note[] =>
  made.flatMap(({ declared, parameters }) =>
    parameters.isTrimmed
      ? [
          noteOf(
            'schema_trimmed',
            declared.operation.name,
            'The schema of its inputs is too long for a model, so its deeper parts are cut. Omit inputs that no assistant needs to get the others whole.',
          ),
        ]
      : [],
  )

const dropped = ({ credentialDropped }: { credentialDropped: boolean }): Note[] =>
  credentialDropped
    ? [
        noteOf(
          'credential_dropped',
          null,
          'baseUrl has another origin than before, so the stored credential, which was given for that one, is cleared. Send credential with the import, or PATCH /v1/tools/api.',
        ),
      ]
    : []

const mostListed = 10
const largest = (made: readonly Made[]) =>
  made
    .map(({ tool, parameters }) => ({ name: String(tool.name), characters: parameters.size }))
    .sort((one, other) => other.characters - one.characters)
    .slice(0, mostListed)
