// A tool as the rest of the service sees it: every member present, defaults applied. The tenant's own object is kept
// beside it, because that is what is stored and returned.
import { Risk, type ToolLabels } from '@tether/contract'
import { isObject, type JsonObject, member, present } from '../../kernel/json/index.ts'
import { isOneLine, readLabels } from '../labels/index.ts'
import { type HttpBinding, toHttpBinding } from './http-binding.ts'
import { parseReadCheck, type ReadCheck } from './read-check.ts'
import { parseTrim, type ResultTrim } from './result-trim.ts'

export const isRisk = (value: unknown): value is Risk => Risk.options.some((risk) => risk === value)

export const toolNamePattern = /^[a-z][a-z0-9_]{2,63}$/
/** The capability that the engine itself gives every turn: handing over to a person. */
export const reservedName = 'tether_handoff'
/** The one that it gives every agent over MCP: asking what became of a write that it staged. */
export const actionStatusName = 'tether_action_status'
export const isReserved = (name: string): boolean => name === reservedName || name === actionStatusName

export const IDEMPOTENCIES = ['key', 'none'] as const
type Idempotency = (typeof IDEMPOTENCIES)[number]
export const isIdempotency = (value: unknown): value is Idempotency => IDEMPOTENCIES.some((known) => known === value)

export type Tool = {
  name: string
  description: string
  /** What people call it, in whatever language. */
  title: string | null
  /** The same by language, and its arguments. */
  labels: ToolLabels
  isWrite: boolean
  /** A JSON Schema; what the tenant wrote, or one that takes no arguments. */
  parameters: JsonObject
  domain: string
  risk: Risk
  requiresScope: boolean
  requiresCustomer: boolean
  /** Holds before a write is staged, and again before it runs. */
  precondition: ReadCheck | null
  /** Read back after a write ran. */
  verify: ReadCheck | null
  /** Argument name to example values. Documentation only. */
  examples: JsonObject | null
  chatEligible: boolean
  agentEligible: boolean
  deepAnalysisOnly: boolean
  allowWithImage: boolean
  /** The argument that holds a write's value, for the value gate and `minValue`. */
  valueFrom: string | null
  /** How a result is trimmed before the model sees it. */
  result: ResultTrim | null
  /** Set on a tool of an imported API: called directly, not through the tool endpoint. */
  http: HttpBinding | null
  /** Proxied to an MCP server. */
  upstream: boolean
  /** Whether whoever performs the write knows it again by its idempotency key. With `none`, it must never be sent twice. */
  idempotency: Idempotency
  /** The tenant's own object, unmodified. */
  raw: JsonObject
}

/**
 * For an object that validateCatalog let through, now or when it was stored. Throws where a guard of a write (its own
 * flag, risk, precondition…) can no longer be read: a tool that silently lost one must not run.
 */
export function toTool(sent: JsonObject): Tool {
  const raw = membersOf(sent)
  const isWrite = flagOf(raw, 'is_write', false)
  return {
    name: textOf(raw, 'name', ''),
    description: textOf(raw, 'description', ''),
    title: isOneLine(raw.title) ? raw.title.trim() : null,
    labels: isObject(raw.labels) ? readLabels(raw.labels).labels : {},
    isWrite,
    parameters: isObject(raw.parameters) ? raw.parameters : { type: 'object', properties: {}, required: [] },
    domain: textOf(raw, 'domain', 'general'),
    risk: riskOf(raw),
    requiresScope: flagOf(raw, 'requires_scope', false),
    requiresCustomer: flagOf(raw, 'requires_customer', false),
    precondition: toReadCheck(raw, 'precondition'),
    verify: toReadCheck(raw, 'verify'),
    examples: isObject(raw.examples) ? raw.examples : null,
    chatEligible: flagOf(raw, 'chat_eligible', true),
    agentEligible: flagOf(raw, 'agent_eligible', true),
    deepAnalysisOnly: flagOf(raw, 'deep_analysis_only', false),
    allowWithImage: flagOf(raw, 'allow_with_image', !isWrite),
    valueFrom: typeof raw.value_from === 'string' ? raw.value_from : null,
    result: parseTrim(member(raw, 'result')) ?? null,
    http: isObject(raw.http) ? toHttpBinding(raw.http) : null,
    upstream: flagOf(raw, 'upstream', false),
    idempotency: idempotencyOf(raw),
    raw: sent,
  }
}

/** Null members count as absent, except `requires_customer`: a catalog must say whether a customer is required. */
export const membersOf = (sent: JsonObject): JsonObject => present(sent, 'requires_customer')

function textOf(raw: JsonObject, name: string, otherwise: string): string {
  const value = member(raw, name)
  return typeof value === 'string' ? value : otherwise
}

function flagOf(raw: JsonObject, name: string, otherwise: boolean): boolean {
  const value = member(raw, name)
  if (value !== undefined && typeof value !== 'boolean') throw unreadable(raw, name)
  return value ?? otherwise
}

function riskOf(raw: JsonObject): Risk {
  const risk = member(raw, 'risk') ?? 'low'
  if (!isRisk(risk)) throw unreadable(raw, 'risk')
  return risk
}

function idempotencyOf(raw: JsonObject): Idempotency {
  // An MCP server is sent no idempotency key.
  const idempotency = member(raw, 'idempotency') ?? (raw.upstream === true ? 'none' : 'key')
  if (!isIdempotency(idempotency)) throw unreadable(raw, 'idempotency')
  return idempotency
}

const unreadable = (raw: JsonObject, name: string): Error =>
  new Error(
    `The tool ${textOf(raw, 'name', 'without a name')} has a ${name} that cannot be read: register the catalog again.`,
  )

function toReadCheck(raw: JsonObject, name: 'precondition' | 'verify'): ReadCheck | null {
  const value = member(raw, name)
  if (value === undefined) return null
  const parsed = parseReadCheck(value)
  if (!parsed.ok) throw unreadable(raw, name)
  return parsed.readCheck
}
