import { isObject, member } from '../../../foundation/json/index.ts'
import type { OfferedTool } from '../../../foundation/model/index.ts'
import { type Catalog, reservedName, type Tool } from '../../catalog/index.ts'
import { scores, type Weighted, weighted } from './lexical.ts'
import { tokensIn } from './tokens.ts'

export type Surface = 'chat' | 'agent' | 'insights'

export type Terms = {
  readonly surface: Surface
  readonly isDeep: boolean
  /** True if the caller opted into write actions and may do so. */
  readonly mayWrite: boolean
  readonly hasPicture: boolean
}

/** True if a turn of this kind may use the tool at all. Otherwise we never call it, whatever a model says. */
export function mayUse(tool: Tool, { surface, isDeep, mayWrite, hasPicture }: Terms): boolean {
  if (tool.deepAnalysisOnly && !isDeep) return false
  if (hasPicture && !tool.allowWithImage) return false
  if (surface === 'insights') return !tool.isWrite
  if (surface === 'chat') return tool.chatEligible || (tool.isWrite && tool.agentEligible && mayWrite)
  return tool.agentEligible && (!tool.isWrite || tool.chatEligible || mayWrite)
}

export const HANDOFF: OfferedTool = {
  name: reservedName,
  isWrite: false,
  description:
    'Hands this conversation to a person at the business. Use it when the visitor asks for a person, or when you cannot help.',
  parameters: {
    type: 'object',
    properties: {
      reason: { type: 'string', description: 'Why, in one sentence.' },
      summary: { type: 'string', description: 'What the person needs to know to go on.' },
      asked_by_visitor: { type: 'boolean', description: 'True when the visitor asked for a person.' },
    },
    required: ['reason', 'summary'],
  },
}

export type Offering = {
  /** The tools that the model sees, in the order of the catalog. */
  readonly offered: readonly OfferedTool[]
  /** The tools that a call may name. */
  readonly allowed: ReadonlySet<Tool>
  readonly tokens: number
}

export type OfferRequest = {
  readonly catalog: Catalog
  readonly terms: Terms
  readonly query: string
  /** The tools that this conversation used before, because it may refer to their results. */
  readonly usedBefore: readonly string[]
  readonly tokenBudget: number
}

/** Offers all tools if they fit, otherwise those closest to the question, and always those that were used before. */
export function offerTools({ catalog, terms, query, usedBefore, tokenBudget }: OfferRequest): Offering {
  const eligible = catalog.tools.filter((tool) => mayUse(tool, terms))
  const prepared = eligible.map(prepare)
  const all = prepared.reduce((sum, { tokens }) => sum + tokens, 0)
  const chosen = all <= tokenBudget ? prepared : nearestTools(prepared, query, usedBefore, tokenBudget)
  const handoff = terms.surface === 'insights' ? [] : [HANDOFF]
  return {
    offered: [...chosen.map(({ offered }) => offered), ...handoff],
    allowed: new Set(eligible),
    tokens: chosen.reduce((sum, { tokens }) => sum + tokens, 0),
  }
}

function nearestTools(
  all: readonly PreparedTool[],
  query: string,
  usedBefore: readonly string[],
  budget: number,
): PreparedTool[] {
  const near = scores(
    query,
    all.map(({ words }) => words),
  )
  const used = new Set(usedBefore)
  const rank = (index: number) =>
    used.has(all[index]?.offered.name ?? '') ? Number.POSITIVE_INFINITY : (near[index] ?? 0)
  const order = all.map((_, index) => index).sort((one, other) => rank(other) - rank(one) || one - other)
  const taken = new Set<number>()
  let left = budget
  for (const index of order) {
    const tokens = all[index]?.tokens ?? 0
    if (tokens > left && rank(index) !== Number.POSITIVE_INFINITY) continue
    taken.add(index)
    left -= tokens
  }
  return all.filter((_, index) => taken.has(index))
}

type PreparedTool = { readonly offered: OfferedTool; readonly tokens: number; readonly words: Weighted }

// An entry lives as long as its tool, which lives as long as its version of the catalog is in use.
const preparedTools = new WeakMap<Tool, PreparedTool>()

function prepare(tool: Tool): PreparedTool {
  const known = preparedTools.get(tool)
  if (known !== undefined) return known
  const { name, description, domain, parameters, isWrite } = tool
  const waits = isWrite ? ' It changes something, so a call only proposes it, and it waits for a person.' : ''
  const scope = tool.requiresScope ? ' It needs a concrete branch or location.' : ''
  const offered = { name, description: `${description}${scope}${waits}`, isWrite, parameters }
  const properties = member(parameters, 'properties')
  const prepared = {
    offered,
    tokens: tokensIn(offered.description) + tokensIn(JSON.stringify(parameters)) + 10,
    words: weighted([
      [name.replaceAll('_', ' '), 3],
      [domain, 2],
      [isObject(properties) ? Object.keys(properties).join(' ').replaceAll('_', ' ') : '', 1.5],
      [description, 1],
    ]),
  }
  preparedTools.set(tool, prepared)
  return prepared
}
