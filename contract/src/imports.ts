import { z } from 'zod'
import { ApiCredential, UserTokenMode } from './api-credential.ts'
import { RepositorySource, Timestamp } from './schemas.ts'

const Place = z.enum(['path', 'query', 'header', 'cookie', 'body'])
const name = z.string()
const operation = { name, method: z.string(), path: z.string().meta({ description: 'As the document writes it.' }) }

/** What a person says of one operation. */
export const ImportDeclaration = z
  .looseObject({
    is_write: z
      .boolean()
      .optional()
      .meta({ description: 'Required, unless the operation is skipped. Never inferred.' }),
    skip: z.boolean().optional().meta({ description: 'True leaves the operation out.' }),
    risk: z.enum(['low', 'elevated', 'high']).optional(),
    name: z.string().optional().meta({ description: 'Another name for the tool.' }),
    description: z.string().optional(),
    domain: z.string().optional(),
    requires_customer: z.boolean().optional(),
    title: z.unknown().optional().meta({ description: 'What people call it, as a tool’s `title`.' }),
    labels: z.unknown().optional().meta({ description: 'The same by language, as a tool’s `labels`.' }),
    parameters: z
      .record(
        z.string(),
        z.looseObject({
          description: z.string().optional(),
          required: z.boolean().optional(),
          omit: z.boolean().optional(),
        }),
      )
      .optional()
      .meta({ description: 'By input.' }),
    precondition: z.unknown().optional(),
    verify: z.unknown().optional(),
    outcomes: z.unknown().optional().meta({ description: 'A status from 400 to 599 to `refused` or `indeterminate`.' }),
    idempotency: z.enum(['key', 'none']).optional(),
  })
  .meta({ id: 'ImportDeclaration', description: 'docs/import.md says what each member does.' })

export const ImportRequest = z
  .looseObject({
    document: z.union([z.looseObject({}), z.string()]).meta({
      description: 'The OpenAPI document: 3.0, 3.1 or Swagger 2.0, as an object or as its JSON or YAML text.',
    }),
    baseUrl: z.string().meta({ description: 'Where the operations are called: absolute HTTPS at a public address.' }),
    operations: z
      .record(z.string(), ImportDeclaration)
      .optional()
      .meta({ description: 'By the names that the draft gave. Without it the answer is the draft.' }),
    skipUndeclared: z.boolean().optional(),
    credential: ApiCredential.optional(),
    source: RepositorySource.optional(),
    userToken: UserTokenMode.optional(),
  })
  .meta({ id: 'ImportRequest' })

export const NOTE_CODES = [
  'body_left_out',
  'credential_dropped',
  'credential_place',
  'input_left_out',
  'own_server',
  'schema_trimmed',
  'unknown_member',
  'uncallable_path',
  'unresolved',
] as const

const notes = z
  .array(z.object({ code: z.enum(NOTE_CODES), operation: z.string().nullable(), message: z.string() }))
  .meta({ description: 'What was left out of the document or changed, and why.' })

const DraftInput = z.object({
  name,
  in: Place,
  required: z.boolean(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  description: z.string().optional(),
})

export const NotImported = z
  .object({
    imported: z.literal(false),
    error: z.string().meta({ description: 'Everything that is wrong, or what to do with the draft.' }),
    errors: z
      .array(z.object({ operation: z.string().nullable(), message: z.string() }))
      .optional()
      .meta({ description: 'The same, fault by fault: at most 200.' }),
    operations: z
      .array(
        z.object({
          ...operation,
          description: z.string(),
          parameters: z.array(DraftInput),
          suggested_is_write: z.boolean().meta({ description: 'A guess from the method alone. Declare it yourself.' }),
          deprecated: z.literal(true).optional(),
        }),
      )
      .optional()
      .meta({ description: 'The draft: every operation that can be declared.' }),
    source: RepositorySource.nullable().optional(),
    notes: notes.optional(),
    changes: z
      .object({
        added: z.array(z.object(operation)),
        removed: z.array(z.object(operation)),
        changed: z.array(z.object(operation)),
      })
      .optional()
      .meta({ description: 'Against the registered catalog, once something was imported.' }),
  })
  .meta({ id: 'NotImported' })

export const IMPORT_WARNINGS = [
  'short_description',
  'optional_number',
  'undescribed_id',
  'undescribed_optional',
] as const
export type ImportWarning = (typeof IMPORT_WARNINGS)[number]

export const Imported = z
  .object({
    imported: z.literal(true),
    baseUrl: z.string(),
    userToken: UserTokenMode,
    credentialStored: z.boolean(),
    toolCount: z.int(),
    writeToolCount: z.int(),
    catalog: z.array(z.unknown()).meta({ description: 'What to register with `PUT /v1/tools`, as it is or edited.' }),
    skipped: z.array(z.object(operation)),
    warnings: z.array(
      z.object({
        operation: z.string(),
        parameter: z.string().nullable(),
        code: z.enum(IMPORT_WARNINGS),
        message: z.string(),
      }),
    ),
    notes,
    estimatedTokens: z
      .int()
      .meta({ description: 'Of the whole catalog, as a model reads it: a quarter of its characters.' }),
    largestSchemas: z
      .array(z.object({ name, characters: z.int() }))
      .meta({ description: 'The ten tools whose parameters are longest.' }),
    source: RepositorySource.nullable(),
  })
  .meta({ id: 'Imported' })

/** The last successful import, as the catalog shows it. */
export const ImportShown = z
  .object({
    baseUrl: z.string(),
    toolCount: z.int(),
    importedAt: Timestamp,
    source: RepositorySource.nullable(),
  })
  .meta({ id: 'ImportShown' })

export const ApiChange = z
  .looseObject({
    credential: ApiCredential.or(z.literal('')).optional().meta({ description: 'An empty text clears it.' }),
    userToken: UserTokenMode.optional(),
  })
  .meta({ id: 'ApiChange' })
export const ApiShown = z
  .object({ baseUrl: z.string(), userToken: UserTokenMode, credentialStored: z.boolean() })
  .meta({ id: 'ApiShown' })
export const ApiUnchanged = z.object({ error: z.string() }).meta({ id: 'ApiUnchanged' })
