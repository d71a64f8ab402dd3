import { existsSync, writeFileSync } from 'node:fs'
import { type Schemas, TetherError } from '../../../sdk/src/index.ts'
import { askSecret } from '../ask.ts'
import { CATALOG_FILE, readText } from '../catalog-file.ts'
import { type Command, EXIT, type Exit, type Given, oneWord, textFlag, UsageError } from '../command.ts'
import { exactText } from '../exact-json.ts'
import { declareEach } from '../import/declare-each.ts'
import { type Declarations, OPERATIONS_FILE, readDeclarations, writeWhole } from '../import/operations-file.ts'
import { jsonText, oneLine, type Screen } from '../screen.ts'
import { counted, tools } from './validate.ts'

type Draft = Schemas['NotImported']
type Operation = NonNullable<Draft['operations']>[number]

export const importApi: Command = {
  takes: '<openapi file>',
  does: `Makes a catalog of an OpenAPI document. Asks for each operation whether it writes, and keeps the answers in ${OPERATIONS_FILE}; started again, it asks for the rest.`,
  options: {
    'base-url': { type: 'string', does: 'where the operations are called, such as https://api.example.com' },
    operations: { type: 'string', does: `the file of the declarations; ${OPERATIONS_FILE} unless set` },
    output: { type: 'string', does: `the file of the catalog; ${CATALOG_FILE} unless set, and - is stdout` },
    force: { type: 'boolean', does: 'replaces the catalog that is there' },
    draft: { type: 'boolean', does: 'writes what there is to declare, and asks nothing' },
    'skip-undeclared': { type: 'boolean', does: 'leaves out what is not declared' },
    credential: {
      type: 'boolean',
      does: 'asks for the credential of the API, or takes TETHER_API_CREDENTIAL; kept from before unless set',
    },
  },
  async run(given) {
    const name = oneWord(given, 'the file of the OpenAPI document (JSON or YAML)')
    const baseUrl = textFlag(given, 'base-url')
    if (baseUrl === undefined)
      throw new UsageError(
        'Say with --base-url where the operations are called. The servers of the document are not used.',
      )
    const request = { document: readText(name), baseUrl }
    const output = outputOf(given)
    const draft = await draftOf(given, request)
    for (const { message } of draft.notes ?? []) given.screen.warn(oneLine(message))
    if (given.flags.draft === true) return showDraft(given.screen, draft.operations ?? [])
    const operations = await declared(given, draft.operations ?? [])
    if (operations === null) return EXIT.no
    return await make(given, { ...request, operations, ...(await credentialOf(given)) }, output)
  },
}

/** Said before anybody is asked forty questions. */
function outputOf(given: Given): string | null {
  const file = textFlag(given, 'output') ?? CATALOG_FILE
  if (file === '-' || given.flags.draft === true) return null
  if (existsSync(file) && given.flags.force !== true)
    throw new UsageError(
      `${file} is there already. Name another with --output, add --force to replace it, or write to stdout with --output -.`,
    )
  return file
}

/** The draft is a refusal on purpose. */
async function draftOf({ service }: Given, request: { document: string; baseUrl: string }): Promise<Draft> {
  try {
    await service().request('POST /v1/tools/import', { body: request })
    throw new UsageError('The service imported what nobody had declared. Update it.')
  } catch (error) {
    const body = error instanceof TetherError ? (error.body as Partial<Draft> | undefined) : undefined
    if (body?.imported === false && body.operations !== undefined) return body as Draft
    throw error
  }
}

function showDraft(screen: Screen, operations: readonly Operation[]): Exit {
  if (screen.isJson) screen.json(operations)
  else
    screen.table(
      operations.map(({ name, method, path, description }) => [name, method, path, oneLine(description).slice(0, 60)]),
    )
  screen.good(`${counted(operations.length, 'operation')} can be declared.`)
  return EXIT.ok
}

/** What a person has said of each operation, here or in the file. Null if somebody stopped before the end. */
async function declared(given: Given, operations: readonly Operation[]): Promise<Declarations | null> {
  const { screen, surroundings, flags } = given
  const file = textFlag(given, 'operations') ?? OPERATIONS_FILE
  const kept = readDeclarations(file)
  const known = operations.filter(({ name }) => Object.hasOwn(kept, name))
  const open = operations.filter(({ name }) => !Object.hasOwn(kept, name))
  if (known.length > 0) screen.say(`${file} declares ${known.length} of ${counted(operations.length, 'operation')}.`)
  if (open.length === 0 || flags['skip-undeclared'] === true) return kept
  if (surroundings.stdin.isTTY !== true || surroundings.stderr.isTTY !== true) {
    const names = open.slice(0, 10).map(({ name }) => name)
    throw new UsageError(
      `${file} does not declare ${oneLine(names.join(', '))}${open.length > 10 ? ` and ${open.length - 10} more` : ''}. Nobody can be asked here: write {"${oneLine(names[0] ?? '')}": {"is_write": true or false}} for each, or add --skip-undeclared. --draft lists them.`,
    )
  }
  const all = await declareEach(given, {
    operations: open,
    declared: known.length,
    kept,
    keep: (now) => writeWhole(file, now),
  })
  if (all === null) screen.say(`What you said is in ${file}. Say the same command again to go on.`)
  return all
}

async function credentialOf({
  flags,
  surroundings,
}: Given): Promise<{ credential?: Schemas['ImportRequest']['credential'] }> {
  if (flags.credential !== true) return {}
  const text = (
    surroundings.env.TETHER_API_CREDENTIAL || (await askSecret(surroundings, 'Credential of the API: '))
  )?.trim()
  if (!text)
    throw new UsageError(
      'There is no credential. Set TETHER_API_CREDENTIAL to a token, or to the JSON of docs/import.md.',
    )
  return {
    credential: text.startsWith('{') ? (JSON.parse(text) as NonNullable<Schemas['ImportRequest']['credential']>) : text,
  }
}

async function make(
  { service, screen, flags }: Given,
  body: Schemas['ImportRequest'],
  output: string | null,
): Promise<Exit> {
  try {
    const skipUndeclared = flags['skip-undeclared'] === true
    const made = await service().request('POST /v1/tools/import', {
      body: { ...body, ...(skipUndeclared ? { skipUndeclared } : {}) },
    })
    if (output !== null) writeFileSync(output, `${jsonText(made.catalog, true)}\n`)
    if (screen.isJson) screen.json(made)
    else if (output === null) screen.data(exactText(made.catalog, 2))
    for (const { operation, message } of made.warnings) screen.warn(oneLine(`${operation}: ${message}`))
    const where = output === null ? '' : ` in ${output}`
    screen.good(
      `${tools(made.toolCount, made.writeToolCount)}${where}, about ${made.estimatedTokens} tokens to a model. Nothing is registered yet: \`tether push${output === null || output === CATALOG_FILE ? '' : ` ${output}`}\` does.`,
    )
    return EXIT.ok
  } catch (error) {
    const refused = error instanceof TetherError ? (error.body as Partial<Draft> | undefined) : undefined
    if (refused?.imported !== false) throw error
    for (const { operation, message } of refused.errors ?? [])
      screen.bad(oneLine(`${operation === null ? '' : `${operation}: `}${message}`))
    if (screen.isJson) screen.json(refused)
    screen.bad(refused.errors === undefined ? oneLine(refused.error ?? '') : 'Nothing was imported.')
    return EXIT.no
  }
}
