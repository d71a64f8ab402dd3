// What does not refuse a catalog but is usually a mistake.
import type { CatalogWarning } from '@tether/contract'
import { isObject, type Json, measureJson, member } from '../../kernel/json/index.ts'
import { deepestCatalog, largeSchemaCharacters, mostCatalogCharacters, shortDescription } from './limits.ts'
import type { Tool } from './tool-spec.ts'

export type Warning = { tool: string; parameter: string | null; code: CatalogWarning; message: string }

const mostWarnings = 200

const members = [
  'name',
  'description',
  'title',
  'labels',
  'is_write',
  'parameters',
  'domain',
  'risk',
  'requires_scope',
  'requires_customer',
  'precondition',
  'verify',
  'examples',
  'chat_eligible',
  'agent_eligible',
  'deep_analysis_only',
  'allow_with_image',
  'value_from',
  'result',
  'http',
  'upstream',
  'idempotency',
]

/** The first ones, and how many more there are. */
type Warnings = { found: Warning[]; more: number }

export const noWarnings = (): Warnings => ({ found: [], more: 0 })

export function addWarnings(warnings: Warnings, tool: Tool, declared: Iterable<string>): void {
  for (const warning of warningsOf(tool, declared)) {
    if (warnings.found.length < mostWarnings) warnings.found.push(warning)
    else warnings.more++
  }
}

export function allWarnings({ found, more }: Warnings): Warning[] {
  const message = `${more} more warnings of these kinds are not shown.`
  return more === 0 ? found : [...found, { tool: '', parameter: null, code: 'more', message }]
}

function warningsOf(tool: Tool, declared: Iterable<string>): Warning[] {
  const found: Warning[] = []
  const warn = (code: CatalogWarning, message: string, parameter: string | null = null): void => {
    found.push({ tool: tool.name, parameter, code, message })
  }
  if (tool.description.trim().length < shortDescription) {
    warn(
      'short_description',
      `The description is under ${shortDescription} characters: say what the tool does and when to use it.`,
    )
  }
  if ((member(tool.raw, 'is_write') ?? null) === null)
    warn('undeclared_write', 'is_write is not declared, so the tool is a read and runs without asking: declare it.')
  for (const name of declared) {
    if (isTenantIdentifier(name))
      warn(
        'identifier_parameter',
        'Looks like a tenant, organization or account identifier, which must never be a parameter: the service sends it.',
        name,
      )
  }
  const size = sizeOf(tool.parameters)
  if (size > largeSchemaCharacters)
    warn(
      'large_schema',
      `The schema has ${size} characters, and the model gets it with every turn: leave out what a call does not need.`,
    )
  for (const name of Object.keys(tool.raw)) {
    const meant = meantMember(name)
    if (meant) warn('misspelled_member', `"${name}" is kept but not read: the member is called ${meant}.`)
  }
  return found
}

/** tenant_id, organizationId, org, accountNumber… as words, whatever their case. */
function isTenantIdentifier(name: string): boolean {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase()
  return /^(?:tenant|org|organi[sz]ation|account)(?:_?(?:id|ids|uuid|guid|key|code|slug|number|no|ref))?$/.test(words)
}

const lettersOf = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '')
const memberByLetters = new Map(members.map((name) => [lettersOf(name), name]))

/** isWrite, IS_WRITE, is-write: the same letters as a member, and not the member. */
const meantMember = (name: string): string | undefined =>
  members.includes(name) || name.length > 40 ? undefined : memberByLetters.get(lettersOf(name))

function sizeOf(value: Json): number {
  const measured = isObject(value)
    ? measureJson(value, { maxDepth: deepestCatalog, maxSize: mostCatalogCharacters })
    : undefined
  return measured?.ok ? measured.size : 0
}
