import { atOnce, isObject, member, turnOf, type Work } from '../../../kernel/json/index.ts'
import { memoized } from '../../../kernel/memo/index.ts'
import type { OfferedTool } from '../../../kernel/model/index.ts'
import { normalized } from '../../../kernel/text/index.ts'
import type { Catalog, Tool } from '../../../tools/catalog/index.ts'
import { HANDOFF } from '../../handoffs/index.ts'
import { WITHDRAW } from '../../proposals/index.ts'
import { tokensIn } from './tokens.ts'

export type Surface = 'chat' | 'agent' | 'insights'

export type Terms = {
  readonly surface: Surface
  readonly isDeep: boolean
  /** True if the caller opted into write actions and may do so. */
  readonly mayWrite: boolean
  readonly hasPicture: boolean
  /** True in a sandbox, whose assistant has its website and nothing else. */
  readonly isSandbox?: boolean
  /** True if something waits that the visitor proposed and may take back. */
  readonly mayWithdraw?: boolean
}

/** True if a turn of this kind may use the tool at all. Otherwise we never call it, whatever a model says. */
function mayUse(tool: Tool, { surface, isDeep, mayWrite, hasPicture }: Terms): boolean {
  if (tool.deepAnalysisOnly && !isDeep) return false
  if (hasPicture && !tool.allowWithImage) return false
  if (surface === 'insights') return !tool.isWrite
  if (surface === 'chat') return tool.chatEligible || (tool.isWrite && tool.agentEligible && mayWrite)
  return tool.agentEligible && (!tool.isWrite || tool.chatEligible || mayWrite)
}

export type Offering = {
  /** The tools that the model sees, in the order of the catalog. */
  readonly offered: readonly OfferedTool[]
  /** The tools that a call may name. */
  readonly allowed: ReadonlySet<Tool>
  readonly tokens: number
}

type OfferRequest = {
  readonly catalog: Catalog
  readonly terms: Terms
  readonly query: string
  /** What the question is about, by the words of the workspace: the tools of these domains come first. */
  readonly domains: ReadonlySet<string>
  /** The tools that this conversation used before, because it may refer to their results. */
  readonly usedBefore: readonly string[]
  readonly tokenBudget: number
}

/**
 * Offers all tools if they fit, otherwise those of the question's domains and then those closest to the question, and always
 * those that were used before. What a turn may call does not depend on it.
 */
export const offerTools = (request: OfferRequest): Offering => atOnce(offerInTurns(request))

/** The same, with turns for other requests: to prepare five thousand tools takes a second. */
export function* offerInTurns({ catalog, terms, tokenBudget, ...asked }: OfferRequest): Work<Offering> {
  const all = yield* prepare(catalog)
  const mayOffer = catalog.tools.map((tool) => mayUse(tool, terms))
  const eligible = all.tools.filter((_, index) => mayOffer[index])
  const tokens = eligible.reduce((sum, tool) => sum + tool.tokens, 0)
  const chosen = tokens <= tokenBudget ? eligible : nearestTools(all, mayOffer, { ...asked, tokenBudget })
  const hasHandoff = terms.surface !== 'insights' && terms.isSandbox !== true
  const own = [...(hasHandoff ? [HANDOFF] : []), ...(terms.mayWithdraw === true ? [WITHDRAW] : [])]
  return {
    offered: [...chosen.map(({ offered }) => offered), ...own],
    allowed: new Set(catalog.tools.filter((_, index) => mayOffer[index])),
    tokens: chosen.reduce((sum, tool) => sum + tool.tokens, 0),
  }
}

function nearestTools(
  { tools, index }: PreparedCatalog,
  mayOffer: readonly boolean[],
  { query, domains, usedBefore, tokenBudget }: Omit<OfferRequest, 'catalog' | 'terms'>,
): PreparedTool[] {
  const near = scores(query, index, mayOffer)
  const used = new Set(usedBefore)
  const tierOf = ({ offered, domain }: PreparedTool) => (used.has(offered.name) ? 2 : domains.has(domain) ? 1 : 0)
  const ranked = tools
    .map((tool, at) => ({ tool, at, tier: tierOf(tool), score: near[at] ?? 0 }))
    .filter(({ at }) => mayOffer[at])
    .sort((one, other) => other.tier - one.tier || other.score - one.score || one.at - other.at)
  const taken = new Set<PreparedTool>()
  let left = tokenBudget
  for (const { tool, tier } of ranked) {
    if (tool.tokens > left && tier !== 2) continue
    taken.add(tool)
    left -= tool.tokens
  }
  return tools.filter((tool) => taken.has(tool))
}

type PreparedTool = { readonly offered: OfferedTool; readonly domain: string; readonly tokens: number }
type PreparedCatalog = { readonly tools: PreparedTool[]; readonly index: TermIndex }

/** What has been prepared of a catalog so far. Every request for that catalog continues where the others are. */
const preparedSoFar = memoized((_: Catalog): PreparedCatalog => ({ tools: [], index: new Map() }))
/** Characters that are looked at before other requests get a turn: about 3 ms. */
const charactersPerTurn = 50_000

function* prepare(catalog: Catalog): Work<PreparedCatalog> {
  const prepared = preparedSoFar(catalog)
  const { tools, index } = prepared
  const isTurnOver = turnOf(charactersPerTurn)
  for (let tool = catalog.tools[tools.length]; tool !== undefined; tool = catalog.tools[tools.length]) {
    const next = prepareTool(tool)
    addWords(index, tools.length, tool)
    tools.push(next)
    if (isTurnOver(next.tokens * 4)) yield
  }
  return prepared
}

function prepareTool(tool: Tool): PreparedTool {
  const { name, description, domain, parameters, isWrite, title, labels } = tool
  const waits = isWrite
    ? ' This tool changes something. Calling it only proposes the change, and a person has to confirm it.'
    : ''
  const scope = tool.requiresScope ? ' Requires a specific branch or location.' : ''
  const offered = { name, description: `${description}${scope}${waits}`, isWrite, parameters, title, labels }
  return { offered, domain, tokens: tokensIn(offered.description) + tokensIn(JSON.stringify(parameters)) + 10 }
}

function addWords(index: TermIndex, at: number, { name, domain, parameters, description, title, labels }: Tool): void {
  const properties = member(parameters, 'properties')
  addText(index, at, [
    [[name.replaceAll('_', ' '), title, labels.ka?.title, labels.en?.title].join(' '), 3],
    [domain, 2],
    [isObject(properties) ? Object.keys(properties).join(' ').replaceAll('_', ' ') : '', 1.5],
    [description, 1],
  ])
}

// Measures how similar two texts are by their words, in any script. We keep only the beginning of a word, where
// Georgian and English have its meaning: "orders" is similar to "order", "შეკვეთის" to "შეკვეთა".

const WORD = /[\p{L}\p{N}]{2,}/gu
const STEM = 5
/** A text says in its first few pages what it is about. */
const MOST_CHARACTERS = 20_000
/** Of a question: nobody asks for more things than this, and each is looked for. */
const MOST_ASKED = 300

const termsOf = (text: string): string[] =>
  (normalized(text.slice(0, MOST_CHARACTERS), 'NFKC').toLowerCase().match(WORD) ?? []).map((word) =>
    word.replace(/(?<=[a-z]{3})s$/, '').slice(0, STEM),
  )

/** For each term the texts that have it, by their numbers, and its weight in each. */
type TermIndex = Map<string, { texts: number[]; weights: number[] }>

/** A word in a name says more than one in a description: the greatest weight counts. */
function addText(index: TermIndex, text: number, fields: readonly (readonly [text: string, weight: number])[]) {
  const weights = new Map<string, number>()
  for (const [field, weight] of fields) {
    for (const term of termsOf(field)) weights.set(term, Math.max(weight, weights.get(term) ?? 0))
  }
  for (const [term, weight] of weights) {
    const known = index.get(term)
    if (known === undefined) index.set(term, { texts: [text], weights: [weight] })
    else {
      known.texts.push(text)
      known.weights.push(weight)
    }
  }
}

/** Scores the texts that may be chosen, by their numbers. Rare words count for more than common ones. */
function scores(query: string, index: TermIndex, mayChoose: readonly boolean[]): Float64Array {
  const found = new Float64Array(mayChoose.length)
  const count = mayChoose.filter(Boolean).length
  for (const term of [...new Set(termsOf(query))].slice(0, MOST_ASKED)) {
    const { texts, weights } = index.get(term) ?? NOWHERE
    const having = texts.reduce((sum, text) => sum + (mayChoose[text] === true ? 1 : 0), 0)
    const rarity = Math.log(1 + (count - having + 0.5) / (having + 0.5))
    for (const [at, text] of texts.entries()) found[text] = (found[text] ?? 0) + (weights[at] ?? 0) * rarity
  }
  return found
}

const NOWHERE = { texts: [], weights: [] }
