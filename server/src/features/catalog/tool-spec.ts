// A tool as the rest of the service sees it: every member present, defaults applied. The tenant's own object is kept
// beside it, because that is what is stored and returned.
import { isObject, type Json, type JsonObject, member } from '../../foundation/json/index.ts'
import type { HttpBinding } from './http-binding.ts'
import { toHttpBinding } from './http-binding.ts'
import { parseReadCheck, type ReadCheck } from './read-check.ts'
import { parseTrim, type ResultTrim } from './result-trim.ts'

export const risks = ['low', 'elevated', 'high'] as const
export type Risk = (typeof risks)[number]
export const isRisk = (value: unknown): value is Risk => risks.some((risk) => risk === value)

export const toolNamePattern = /^[a-z][a-z0-9_]{2,63}$/
/** The capability that the engine itself gives every turn: handing over to a person. */
export const reservedName = 'tether_handoff'

export type Tool = {
  name: string
  description: string
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
  /** Documentation only: argument name to example values. */
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
  /** The tenant's own object, unmodified. */
  raw: JsonObject
}

/** Only for an object that validateCatalog let through: whatever is not of its type reads as absent. */
export function toTool(raw: JsonObject): Tool {
  const isWrite = raw.is_write === true
  return {
    name: textOf(raw, 'name', ''),
    description: textOf(raw, 'description', ''),
    isWrite,
    parameters: isObject(raw.parameters) ? raw.parameters : { type: 'object', properties: {}, required: [] },
    domain: textOf(raw, 'domain', 'general'),
    risk: isRisk(raw.risk) ? raw.risk : 'low',
    requiresScope: flagOf(raw, 'requires_scope', false),
    requiresCustomer: flagOf(raw, 'requires_customer', false),
    precondition: toReadCheck(member(raw, 'precondition')),
    verify: toReadCheck(member(raw, 'verify')),
    examples: isObject(raw.examples) ? raw.examples : null,
    chatEligible: flagOf(raw, 'chat_eligible', true),
    agentEligible: flagOf(raw, 'agent_eligible', true),
    deepAnalysisOnly: flagOf(raw, 'deep_analysis_only', false),
    allowWithImage: flagOf(raw, 'allow_with_image', !isWrite),
    valueFrom: typeof raw.value_from === 'string' ? raw.value_from : null,
    result: parseTrim(member(raw, 'result')) ?? null,
    http: isObject(raw.http) ? toHttpBinding(raw.http) : null,
    upstream: flagOf(raw, 'upstream', false),
    raw,
  }
}

function textOf(raw: JsonObject, name: string, otherwise: string): string {
  const value = member(raw, name)
  return typeof value === 'string' ? value : otherwise
}

function flagOf(raw: JsonObject, name: string, otherwise: boolean): boolean {
  const value = member(raw, name)
  return typeof value === 'boolean' ? value : otherwise
}

function toReadCheck(value: Json | undefined): ReadCheck | null {
  const parsed = value === undefined ? undefined : parseReadCheck(value)
  return parsed?.ok ? parsed.readCheck : null
}
