// Answers a round without a model: it reads the last question and decides by fixed rules. The same question in the same
// conversation always gets the same answer, and nothing that a tool or a passage says changes what it calls.
import type { Language } from '@tether/contract'
import { stringifyJson } from '../../foundation/json/index.ts'
import type { Message, ModelCall, ModelRequest, OfferedTool } from '../../foundation/model/index.ts'
import { readPassages } from '../../foundation/model/index.ts'
import { type Choice, chooseTools } from './choose-tool.ts'
import { fillArguments, isSearch, type Property } from './fill-arguments.ts'
import { fieldLabel, phrasesOf } from './phrases.ts'
import { findPassage } from './quote-passage.ts'
import { fenced, plainLine, quotedBlock, tellResult } from './tell-result.ts'
import { conversationLanguage, isContent, meet, NEGATION, termsIn, wordsIn } from './words.ts'

export type OfflineAnswer = { readonly text: string; readonly calls: readonly ModelCall[] }

const HANDOFF = 'tether_handoff'
const MOST_EARLIER = 4
const MOST_QUESTION = 2_000

const textAnswer = (text: string): OfflineAnswer => ({ text, calls: [] })

export function answerTo({ messages, tools }: ModelRequest): OfflineAnswer {
  const at = messages.findLastIndex(({ role }) => role === 'user')
  const system = messages.flatMap((one) => (one.role === 'system' ? [one.text] : [])).join('\n\n')
  const question = questionText(messages[at])
  const earlier = messages
    .slice(0, Math.max(0, at))
    .filter(({ role }) => role === 'user')
    .map(questionText)
    .reverse()
  const language = conversationLanguage(system, [question, ...earlier])
  const results = messages.slice(at + 1).filter((one) => one.role === 'tool')
  if (results.length > 0) return textAnswer(results.map((one) => tellResult(one, language)).join('\n\n'))
  return decide({ question, earlier: earlier.slice(0, MOST_EARLIER), tools, language, system, messages })
}

type RoundInput = Pick<ModelRequest, 'tools' | 'messages'> & {
  readonly question: string
  /** The visitor's earlier messages, the latest first. */
  readonly earlier: readonly string[]
  readonly language: Language
  readonly system: string
}

/** A visitor may write a whole letter, but the question is at its beginning. */
const questionText = (message: Message | undefined): string => message?.text.slice(0, MOST_QUESTION) ?? ''

const GREETING =
  /^(hi|hello|hey|good (morning|day|evening|afternoon)|help|what can you do|who are you|გამარჯობა|სალამი|მოგესალმებით|დახმარება|რა შეგიძლია(თ)?|ვინ ხარ(თ)?)[\s!.,?]*$/iu
const THANKS =
  /^(thanks?( you)?( (so|very) much)?|thx|great|ok(ay)?|perfect|მადლობა|გმადლობთ|დიდი მადლობა|კარგი|ოკ)[\s!.,]*$/iu
const PERSON =
  /\b(human|operator|representative|real person|(talk|speak|chat) (to|with) (a |an |some)?(person|someone|agent|human|staff))\b|ოპერატორ|ადამიანთან|კონსულტანტ|თანამშრომელთან|თანამშრომელს დამ/iu

function decide(asked: RoundInput): OfflineAnswer {
  const { question, tools, language } = asked
  const say = phrasesOf(language)
  const usable = tools.filter(({ name }) => name !== HANDOFF)
  if (GREETING.test(question.trim()))
    return textAnswer(say.greeting(usable.length > 0 ? say.abilities : say.nothingToOffer) + offers(usable))
  if (THANKS.test(question.trim())) return textAnswer(say.thanks)
  if (PERSON.test(question) && tools.length > usable.length) return passToPerson(asked)
  const choices = chooseTools(usable, { text: question, earlier: pointsBack(question) ? asked.earlier : [] })
  return (
    (hasAskedBack(asked) && asksToDo(question) ? resumed(asked, usable) : undefined) ??
    chosen(choices, asked) ??
    resumed(asked, usable) ??
    missed(choices, asked) ??
    searched(asked, usable) ??
    dontKnow(asked, usable)
  )
}

/** Chooses a call or a passage, or returns undefined. */
function chosen(choices: readonly Choice[], asked: RoundInput): OfflineAnswer | undefined {
  const { question, language } = asked
  const isRequest = asksToDo(question)
  // The visitor means a change if it fits best, or if they asked for it by name.
  const write = choices.find(({ tool, isNamed }, place) => tool.isWrite && (place === 0 || (isRequest && isNamed)))
  if (write !== undefined && isNegated(question)) return textAnswer(phrasesOf(language).negated)
  const best = choices.find(({ tool, filled }) => filled.missing.length === 0 && (!tool.isWrite || isRequest))
  // We ask about a change that lacks something and explain one that was only asked about, and look up nothing in its
  // place.
  if (write !== undefined && best?.tool.isWrite !== true && (isRequest || !isSpecific(best))) {
    return isRequest ? undefined : fromPassage(asked, `\n\n${phrasesOf(language).proposes(toolLabel(write.tool))}`)
  }
  if (best !== undefined && (best.tool.isWrite || isSpecific(best))) return call(best, asked)
  // A tool named in full is meant, even if an argument is missing.
  const named = choices.find(({ isNamed }) => isNamed)
  if (named !== undefined && named.filled.missing.length > 0 && isRequest) return undefined
  const passage = findPassage(readPassages(asked.system), question, language)
  if (best !== undefined && (passage === undefined || best.share >= passage.share)) return call(best, asked)
  return fromPassage(asked)
}

const isSpecific = (choice: Choice | undefined): boolean => choice !== undefined && choice.filled.given.length > 0

/** Answers from a passage. */
function fromPassage({ system, question, language }: RoundInput, after = ''): OfflineAnswer | undefined {
  const passage = findPassage(readPassages(system), question, language)
  if (passage === undefined || (after !== '' && !passage.isSure)) return undefined
  return textAnswer(`${phrasesOf(language).from(plainLine(passage.title))}\n\n${quotedBlock(passage.text)}${after}`)
}

function call(
  { tool, filled }: Pick<Choice, 'tool' | 'filled'>,
  { messages }: Pick<RoundInput, 'messages'>,
): OfflineAnswer {
  const id = `offline${messages.length}`
  return { text: '', calls: [{ id, name: tool.name, arguments: stringifyJson({ ...filled.values }) }] }
}

const hasAskedBack = ({ messages, language }: RoundInput): boolean =>
  (messages.findLast(({ role }) => role === 'assistant')?.text ?? '').includes(phrasesOf(language).needEnd)

/** If the question only answers ours, it belongs to the one before, or to the one before that. */
function resumed(asked: RoundInput, tools: readonly OfferedTool[]): OfflineAnswer | undefined {
  const { question, earlier, language } = asked
  if (isNegated(question)) return undefined
  for (const [back, before] of earlier.entries()) {
    const so = [before, ...earlier.slice(0, back).reverse()].join('\n')
    const open = chooseTools(tools, { text: so, earlier: [] }).find(
      ({ tool, filled }) => filled.missing.length > 0 && (!tool.isWrite || asksToDo(before)),
    )
    const [joined] = open === undefined ? [] : chooseTools([open.tool], { text: `${so}\n${question}`, earlier: [] })
    if (open === undefined || joined === undefined || joined.filled.missing.length >= open.filled.missing.length)
      continue
    return joined.filled.missing.length === 0 ? call(joined, asked) : textAnswer(askFor(joined, language))
  }
  return undefined
}

/** "Do you have red shoes?" names no tool. If the catalog has a search, we search for it. */
function searched(asked: RoundInput, tools: readonly OfferedTool[]): OfflineAnswer | undefined {
  const { question } = asked
  const words = wordsIn(question).filter(isContent)
  const isPhrase = words.length > 0 && words.length <= SHORT && !QUESTION.test(question) && !isNegated(question)
  if ((!SEEKS.test(question) && !isPhrase) || meet(CHANGES, termsIn(question))) return undefined
  const tool = tools.find((one) => !one.isWrite && isSearch(one))
  if (tool === undefined) return undefined
  const filled = fillArguments(tool, { text: question.replace(SEEKS, ' '), earlier: [] })
  return filled.missing.length > 0 ? undefined : call({ tool, filled }, asked)
}

function missed(choices: readonly Choice[], { question, language }: RoundInput): OfflineAnswer | undefined {
  const [best] = choices
  if (best === undefined) return undefined
  if (best.filled.missing.length > 0 && (!best.tool.isWrite || asksToDo(question)))
    return textAnswer(askFor(best, language))
  return best.tool.isWrite ? textAnswer(phrasesOf(language).proposes(toolLabel(best.tool))) : undefined
}

function askFor({ tool, filled }: Choice, language: Language): string {
  const say = phrasesOf(language)
  const needs = filled.missing.map((one) => `- ${needed(one, language)}`).join('\n')
  const choices = filled.missing.find((one) => one.choices.length > 0)?.choices ?? []
  const replies = choices.slice(0, 8).map((one) => ({ label: fieldLabel(one, language), prompt: one }))
  const quick = replies.length > 0 ? `\n\n${fenced('quick_replies', { replies })}` : ''
  return `${say.need(toolLabel(tool), tool.isWrite)}\n\n${needs}\n\n${say.needEnd}${quick}`
}

function needed({ name, description, choices }: Property, language: Language): string {
  const label = fieldLabel(name, language)
  const about = description === '' ? '' : ` (${plainLine(description).replace(/[.\s]+$/, '')})`
  return `**${label}**${choices.length > 0 ? `: ${choices.slice(0, 8).join(', ')}` : about}`
}

function passToPerson({ question, earlier, language, messages }: RoundInput): OfflineAnswer {
  const summary = [...earlier].reverse().concat(question).join(' / ').slice(0, 1_000)
  const given = { reason: question.slice(0, 300), summary, asked_by_visitor: true }
  const calls = [{ id: `offline${messages.length}`, name: HANDOFF, arguments: stringifyJson(given) }]
  return { text: `${phrasesOf(language).handOver}\n\n`, calls }
}

function dontKnow({ language }: RoundInput, tools: readonly OfferedTool[]): OfflineAnswer {
  const say = phrasesOf(language)
  return textAnswer(`${say.unknown}${tools.length > 0 ? `\n\n${say.canHelp}${offers(tools)}` : ''}`)
}

/** `get_order` is "Order" to a visitor, and `cancel_order` "Cancel order". */
const toolLabel = ({ name }: OfferedTool): string =>
  fieldLabel(name.replace(/^(get|list|read|fetch|show)_(?=.)/, ''), 'en')

const MOST_OFFERS = 6

/** Offers reads first, because a visitor who only looks around should not begin with a change. */
function offers(tools: readonly OfferedTool[]): string {
  const ordered = [...tools].sort((one, other) => Number(one.isWrite) - Number(other.isWrite))
  const replies = ordered
    .slice(0, MOST_OFFERS)
    .map((tool) => ({ label: toolLabel(tool), prompt: fieldLabel(tool.name, 'en') }))
  return replies.length === 0 ? '' : `\n\n${fenced('quick_replies', { replies })}`
}

const QUESTION =
  /^\s*(how|what|when|why|where|which|who|is|are|was|did|does|do|has|have|if|should|can i|could i|may i)\b|^\s*(როგორ|რამდენ|რა|როდის|რატომ|სად|ვინ|რომელ|თუ|შემიძლია|შეიძლება)\p{L}{0,3}(?![\p{L}])/iu
/** A visitor who wants a change is not looking for a thing of that name. */
const CHANGES = ['#cancel', '#change', '#delete', '#return', '#send', '#book', '#create']
const SHORT = 3
const SEEKS =
  /\b(do you (have|sell|carry)|have you got|are there any|is there an?|i('m| am) looking for|looking for|i (want|need)|i('d| would) like|search for|find( me)?|show me)\b|(?<![\p{L}])(გაქვთ|გაქვს|იყიდება|ყიდით|ვეძებ|მინდა|მჭირდება|მაინტერესებს|მაჩვენეთ?|მიპოვეთ?|მოძებნეთ?)(?![\p{L}])/iu
const BACK = /\b(it|that|this|them|the same)\b|(?<![\p{L}])(ის|ეს|იგი|მას|მისი|ამის|იმის|იგივე)(?![\p{L}])/iu

/** "Cancel it" asks to do something; "how do I cancel it?" does not. */
const asksToDo = (text: string): boolean => !QUESTION.test(text)
const isNegated = (text: string): boolean => NEGATION.test(text)
const pointsBack = (text: string): boolean => BACK.test(text) || wordsIn(text).length <= 2
