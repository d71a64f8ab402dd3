// Answers a round without a model: it reads the last message and the conversation before it, and decides by fixed rules. The same
// conversation always gets the same answer, and nothing that a tool or a passage says changes what it calls.
import type { Language } from '@tether/contract'
import { stringifyJson } from '../../kernel/json/index.ts'
import type { Message, ModelCall, ModelRequest, OfferedTool } from '../../kernel/model/index.ts'
import { readEnvelopes, readPassages } from '../../kernel/model/index.ts'
import { partsIn } from '../../tools/labels/index.ts'
import { stateAfter } from './conversation.ts'
import { type Decision, decide, type State } from './decide.ts'
import { withDeclaredWords } from './declared-words.ts'
import type { ListedItem } from './listed-items.ts'
import { phrasesOf } from './phrases.ts'
import { kindOf, type Property } from './properties.ts'
import { type FoundPassage, nearestHeading } from './quote-passage.ts'
import { takesBack } from './take-back.ts'
import { fenced, plainLine, quotedBlock, tellResult } from './tell-result.ts'
import { fieldLabel, toolLabel } from './titles.ts'
import { conversationLanguage } from './words.ts'

export type OfflineAnswer = { readonly text: string; readonly calls: readonly ModelCall[] }

const HANDOFF = 'tether_handoff'
const WITHDRAW = 'tether-withdraw'
const MOST_EARLIER = 4
const MOST_QUESTION = 2_000

const textAnswer = (text: string): OfflineAnswer => ({ text, calls: [] })

/** A visitor may write a whole letter, but the question is at its beginning. */
const questionText = (message: Message | undefined): string => message?.text.slice(0, MOST_QUESTION) ?? ''

export function answerTo({ messages, tools }: ModelRequest): OfflineAnswer {
  const at = messages.findLastIndex(({ role }) => role === 'user')
  const system = messages.flatMap((one) => (one.role === 'system' ? [one.text] : [])).join('\n\n')
  const before = messages.slice(0, Math.max(0, at))
  const text = questionText(messages[at])
  const earlier = before
    .filter(({ role }) => role === 'user')
    .map(questionText)
    .reverse()
  const language = conversationLanguage(system, [text, ...earlier])
  const results = messages.slice(at + 1).filter((one) => one.role === 'tool')
  if (results.length > 0) {
    const calls = messages.slice(at + 1).flatMap((one) => (one.role === 'assistant' ? (one.calls ?? []) : []))
    return textAnswer(results.map((one) => tellResult(one, { language, tools, calls })).join('\n\n'))
  }
  const usable = tools.filter(({ name }) => name !== HANDOFF && name !== WITHDRAW).map(withDeclaredWords)
  const may = (own: string) => tools.some(({ name }) => name === own)
  const mayHandOver = may(HANDOFF)
  const about = { tools: usable, language, mayHandOver }
  const state = withDecisions(stateAfter(before, questionText, about), system)
  const passages = readPassages(system)
  const decision = decide({ ...about, text, earlier: earlier.slice(0, MOST_EARLIER), passages }, state)
  // What was done a moment ago waits no longer, and whoever takes it back does not know that yet.
  const isLate = decision.do === 'say' && decision.what === 'fine' && may(WITHDRAW) && takesBack(text)
  return written(isLate ? { do: 'say', what: 'withdraw' } : decision, {
    text,
    earlier,
    tools: usable,
    language,
    turn: messages.length,
    mayWithdraw: may(WITHDRAW),
  })
}

/** Nothing waits any longer once everything that the conversation proposed was decided. */
function withDecisions(state: State, system: string): State {
  const proposals = readEnvelopes(system).find(({ what }) => what === 'proposals')
  if (proposals === undefined || /^(?:pending|executing): /m.test(proposals.text)) return state
  return { ...state, staged: false, stagedNow: false }
}

type RoundInput = {
  readonly text: string
  readonly earlier: readonly string[]
  readonly tools: readonly OfferedTool[]
  readonly language: Language
  readonly turn: number
  readonly mayWithdraw: boolean
}

function written(decision: Decision, asked: RoundInput): OfflineAnswer {
  const { tools, language } = asked
  const say = phrasesOf(language)
  switch (decision.do) {
    case 'call':
      return call(decision.tool.name, { ...decision.values }, asked)
    case 'ask':
      return textAnswer(askFor(decision, language))
    case 'offer':
      return textAnswer(offered(decision, language))
    case 'quote':
      return textAnswer(decision.passages.map((one) => fromPassage(one, language)).join('\n\n'))
    case 'list':
      return textAnswer(fromItems(decision.items, language))
    case 'greet':
      return textAnswer(greeting(tools, language))
    case 'hand over':
      return passToPerson(asked)
    case 'unknown': {
      const chips = offers(tools, language)
      return textAnswer(`${say.unknown}${chips === '' ? '' : `\n\n${say.canHelp}${chips}`}`)
    }
    default:
      if (decision.what === 'withdraw' && asked.mayWithdraw) return call(WITHDRAW, {}, asked)
      return textAnswer(say[decision.what] + (decision.what === 'about' ? offers(tools, language) : ''))
  }
}

function greeting(tools: readonly OfferedTool[], language: Language): string {
  const say = phrasesOf(language)
  const chips = offers(tools, language)
  return say.greeting(chips === '' ? (tools.length === 0 ? say.nothingToOffer : say.askFreely) : say.abilities) + chips
}

function call(name: string, given: object, { turn }: Pick<RoundInput, 'turn'>): OfflineAnswer {
  return { text: '', calls: [{ id: `offline${turn}`, name, arguments: stringifyJson({ ...given }) }] }
}

/** A heading says more to a visitor than the name of a file, which the footnote has. */
function fromPassage(passage: FoundPassage, language: Language): string {
  const { text, number } = passage
  const mark = number === undefined ? '' : ` [${number}]`
  return `${phrasesOf(language).from(plainLine(nearestHeading(passage)))}${mark}\n\n${quotedBlock(text)}`
}

/** Letter by letter as the page states it; of what it does not state nothing is said. */
function fromItems(items: readonly ListedItem[], language: Language): string {
  const marks = items.flatMap(({ number }) => (number === undefined ? [] : [`[${number}]`]))
  const lines = items.map(({ name, availability, url }) => {
    const rest = [availability, url].filter((one) => one !== undefined && one !== '').map((one) => ` · ${plain(one)}`)
    return `- **${plainLine(name)}**${rest.join('')}`
  })
  return `${[phrasesOf(language).listed, ...marks].join(' ')}\n\n${lines.join('\n')}`
}

const plain = (text = ''): string => text.replace(/[`<>[\]*|]/g, ' ')

function offered({ tool, isAsked, passage }: Extract<Decision, { do: 'offer' }>, language: Language): string {
  const say = phrasesOf(language)
  const title = toolLabel(tool, language)
  const offer = `${isAsked ? say.proposes(title) : say.notKnown(title)} ${say.toldHow}`
  return passage === undefined ? offer : `${fromPassage(passage, language)}\n\n${offer}`
}

const MOST_CHOICES = 8

function askFor({ tool, missing }: Extract<Decision, { do: 'ask' }>, language: Language): string {
  const say = phrasesOf(language)
  const needs = missing.map((one) => `- ${needed(tool, one, language)}`).join('\n')
  const choices = missing.find((one) => one.choices.length > 0)?.choices ?? []
  const replies = choices
    .slice(0, MOST_CHOICES)
    .map((one) => ({ label: language === 'ka' ? one : fieldLabel(one, language), prompt: one }))
  const quick = replies.length > 0 ? `\n\n${fenced('quick_replies', { replies })}` : ''
  return `${say.need(toolLabel(tool, language), tool.isWrite)}\n\n${needs}\n\n${say.needEnd}${quick}`
}

const FORMS: Readonly<Record<string, string>> = { date: '2026-12-31', time: '10:30' }

function needed(tool: OfferedTool, property: Property, language: Language): string {
  const { name, description, choices } = property
  const label = fieldLabel(name, language, description, tool)
  const form = FORMS[kindOf(property)]
  const about = plainLine(
    partsIn(description, language).find((part) => part.toLowerCase() !== label.toLowerCase()) ?? '',
  ).replace(/(?<![.\s])[.\s]+$/, '')
  const told = [about, ...(form === undefined ? [] : [phrasesOf(language).form(form)])].filter(Boolean).join('; ')
  if (choices.length > 0) return `**${label}**: ${choices.slice(0, MOST_CHOICES).join(', ')}`
  return `**${label}**${told === '' ? '' : ` (${told})`}`
}

function passToPerson(asked: RoundInput): OfflineAnswer {
  const { text, earlier, language } = asked
  const summary = [...earlier].reverse().concat(text).join(' / ').slice(0, 1_000)
  const { calls } = call(HANDOFF, { reason: text.slice(0, 300), summary, asked_by_visitor: true }, asked)
  return { text: `${phrasesOf(language).handOver}\n\n`, calls }
}

const MOST_OFFERS = 6

/** Offers reads first, because a visitor who only looks around should not begin with a change. */
function offers(tools: readonly OfferedTool[], language: Language): string {
  const replies = [...tools]
    .sort((one, other) => Number(one.isWrite) - Number(other.isWrite))
    .flatMap((tool) => {
      const label = toolLabel(tool, language)
      if (label === '') return []
      return {
        label,
        // In English a tool called by its full name is meant, whatever it is called on the button.
        prompt: language === 'en' ? fieldLabel(tool.name, 'en') : phrasesOf('ka').wish(label, tool.isWrite),
      }
    })
    .slice(0, MOST_OFFERS)
  return replies.length === 0 ? '' : `\n\n${fenced('quick_replies', { replies })}`
}
