// Decides what to do about one message in the state of the conversation, by fixed rules, the strictest first. It calls a write only
// if the visitor asks for it, or answers our question about one.
import type { Language } from '@tether/contract'
import type { OfferedTool, Passage } from '../../kernel/model/index.ts'
import { type Choice, chooseReads } from './choose-read.ts'
import { refusedIn, spokenOf, wishedIn } from './choose-write.ts'
import { fillAnswer, fillArguments, questionOf, type Values } from './fill-arguments.ts'
import { type ListedItem, listedItems } from './listed-items.ts'
import { isSearch, type Property } from './properties.ts'
import { type FoundPassage, findPassage, findQuotes } from './quote-passage.ts'
import { asksAfter, type Proposed, refuses, retracts } from './retract.ts'
import { searchIn } from './search.ts'
import {
  asksHow,
  asksToKnow,
  isFollowUp,
  isNewQuestion,
  isPlainQuestion,
  isQuestion,
  isReported,
  pointsBack,
} from './sentence.ts'
import { asksForPerson, givesThanks, smallTalkIn } from './small-talk.ts'
import { takesBack, undoes } from './take-back.ts'

/** A tool that the visitor asked for, and the arguments that it still needs. */
export type Open = { readonly tool: OfferedTool; readonly values: Values; readonly missing: readonly Property[] }

/** The state of a conversation before a message. */
export type State = {
  /** Our question that the visitor has not answered yet. */
  readonly open: Open | undefined
  /** The last read that we called. */
  readonly last: Pick<Open, 'tool' | 'values'> | undefined
  /** `staged`: the conversation has proposed a write. `stagedNow`: the last answer did. */
  readonly staged: boolean
  readonly stagedNow: boolean
  /** The writes that the conversation has proposed and not taken back, the newest last. */
  readonly proposed: readonly Proposed[]
}

export const beginning: State = { open: undefined, last: undefined, staged: false, stagedNow: false, proposed: [] }

export type Message = {
  readonly text: string
  /** The visitor's earlier messages, the latest first. */
  readonly earlier: readonly string[]
  readonly tools: readonly OfferedTool[]
  readonly passages: readonly Passage[]
  readonly language: Language
  readonly mayHandOver: boolean
}

export type Decision =
  | { readonly do: 'call'; readonly tool: OfferedTool; readonly values: Values }
  | ({ readonly do: 'ask' } & Open)
  /** The message mentions a write but does not ask for it. */
  | {
      readonly do: 'offer'
      readonly tool: OfferedTool
      readonly isAsked: boolean
      readonly passage: FoundPassage | undefined
    }
  | { readonly do: 'quote'; readonly passages: readonly FoundPassage[] }
  /** What the website lists with a price or an availability. */
  | { readonly do: 'list'; readonly items: readonly ListedItem[] }
  | { readonly do: 'say'; readonly what: Line }
  | { readonly do: 'greet' | 'unknown' | 'hand over' }

export type Line =
  | 'thanks'
  | 'fine'
  | 'goodbye'
  | 'about'
  | 'nothingAsked'
  | 'stillWaits'
  | 'waits'
  | 'withdraw'
  | 'untaken'
  | 'dropped'
  | 'negated'

const say = (what: Line): Decision => ({ do: 'say', what })

export function decide(message: Message, state: State): Decision {
  const { text, tools, earlier } = message
  if (state.stagedNow && undoes(text)) return say('withdraw')
  const wished = wishedIn(tools, questionOf(text, pointsBack(text) ? earlier : []))
  const [best, second] = wished
  if (best === undefined) {
    if (takesBack(text)) return say(state.open !== undefined ? 'dropped' : state.staged ? 'withdraw' : 'fine')
    const newest = state.staged ? state.proposed.at(-1) : undefined
    if (newest !== undefined && retracts(text, newest)) return say('withdraw')
    if (newest !== undefined && asksAfter(text, newest)) return say('waits')
    const talk = talkOf(message, state)
    if (talk !== undefined) return talk
  } else if (second?.fit !== best.fit) {
    return calledOrAsked(best.tool, withBefore(best.tool, best.filled.values, state), best.filled.missing)
  } else return { do: 'offer', tool: best.tool, isAsked: true, passage: undefined }
  if (refusedIn(tools, text)) return say(refused(text, state))
  return answered(message, state) ?? followed(message, state) ?? lookedUp(message) ?? rest(message)
}

/** A proposal that the visitor refuses still waits, so it has to be taken back. Only the newest can be. */
function refused(text: string, { staged, proposed }: State): Line {
  const at = staged ? proposed.findLastIndex((one) => refuses(text, one)) : -1
  return at === -1 ? 'negated' : at === proposed.length - 1 ? 'withdraw' : 'untaken'
}

function talkOf({ text, mayHandOver }: Message, { open, staged }: State): Decision | undefined {
  const talk = smallTalkIn(text)
  if (talk === 'yes') return open !== undefined ? { do: 'ask', ...open } : say(staged ? 'stillWaits' : 'nothingAsked')
  if (talk === 'greeting') return { do: 'greet' }
  if (talk !== undefined) return say(talk)
  return mayHandOver && asksForPerson(text) ? { do: 'hand over' } : undefined
}

/** Keeps the values that we already have if the visitor asks for the same tool in other words. */
const withBefore = (tool: OfferedTool, values: Values, { open }: State): Values =>
  open?.tool.name === tool.name ? { ...open.values, ...values } : values

function calledOrAsked(tool: OfferedTool, values: Values, required: readonly Property[]): Decision {
  const missing = required.filter(({ name }) => !Object.hasOwn(values, name))
  return missing.length === 0 ? { do: 'call', tool, values } : { do: 'ask', tool, values, missing }
}

const FEW = 6

/** Takes the message as the answer to our question. */
function answered({ text, tools }: Message, { open }: State): Decision | undefined {
  if (open === undefined || isNewQuestion(text)) return undefined
  const { values, missing } = fillAnswer(open.tool, open.values, text)
  if (missing.length < open.missing.length) return calledOrAsked(open.tool, values, missing)
  const isElse = chooseReads(tools, questionOf(text)).some(isMeant)
  return text.trim().split(/\s+/).length <= FEW && !isElse ? { do: 'ask', ...open } : undefined
}

function followed({ text }: Message, { last }: State): Decision | undefined {
  if (last === undefined || !isFollowUp(text)) return undefined
  const { given, values } = fillArguments(last.tool, questionOf(text))
  return given.length === 0 ? undefined : { do: 'call', tool: last.tool, values: { ...last.values, ...values } }
}

const ENOUGH = 0.5
const ENOUGH_WITH_VALUES = 0.34

const isMeant = ({ share, filled }: Choice): boolean => share >= (filled.given.length > 0 ? ENOUGH_WITH_VALUES : ENOUGH)

const complete = (reads: readonly Choice[]): Choice[] => reads.filter(({ filled }) => filled.missing.length === 0)

/** Chooses a read or a passage, or explains the write that the message mentions. */
function lookedUp(message: Message): Decision | undefined {
  const { text, tools, earlier, passages, language } = message
  const reads = chooseReads(tools, questionOf(text, pointsBack(text) ? earlier : [])).filter(isMeant)
  const passage = findPassage(passages, text, language)
  const spoken = spokenOf(tools, text)
  const [first] = reads
  // A tool called by its full name is meant, even if an argument is missing.
  const best = first?.isCalled === true && !isQuestion(text) ? complete([first])[0] : complete(reads)[0]
  const isAsked = asksToKnow(text)
  const isAbout = best !== undefined && best.filled.spans.length > best.filled.left.length
  if (spoken !== undefined && (spoken.isSure || passage?.isSure === true) && !(isAbout && isPlainQuestion(text)))
    return offer(spoken.tool, message, passage)
  if (best !== undefined && (isAsked || (best.share > ENOUGH && best.isNamed && !isReported(text)))) {
    if (passage === undefined || answersBetter(best, passage))
      return { do: 'call', tool: best.tool, values: best.filled.values }
  }
  if (first !== undefined && first.filled.missing.length > 0 && first.share > ENOUGH && isAsked) {
    if (passage === undefined || first.share > passage.share || (first.isCalled && !isQuestion(text)))
      return { do: 'ask', tool: first.tool, ...first.filled }
  }
  const items = listedItems(passages, text)
  if (items.length > 0) return { do: 'list', items }
  const quotes = findQuotes(passages, text, language)
  return quotes.length === 0 ? undefined : { do: 'quote', passages: quotes }
}

/** The business wrote its texts to answer questions, so a read has to have more of the question than the text that fits it. */
function answersBetter({ filled, share, isCalled }: Choice, passage: FoundPassage): boolean {
  if (filled.usesThing || isCalled) return true
  if (filled.given.length === 0) return share >= passage.share
  // Words that only remain may be a value or may not.
  return !passage.isSure || (filled.left.length === 0 && share >= passage.share)
}

function offer(tool: OfferedTool, { text }: Message, passage: FoundPassage | undefined): Decision {
  const isSure = passage?.isSure === true
  return { do: 'offer', tool, isAsked: asksHow(text) || isSure, passage: isSure ? passage : undefined }
}

function rest({ text, tools }: Message): Decision {
  const tool = tools.find((one) => !one.isWrite && isSearch(one))
  const values = tool === undefined ? undefined : searchIn(tool, text)
  if (tool !== undefined && values !== undefined) return { do: 'call', tool, values }
  return givesThanks(text) ? say('thanks') : { do: 'unknown' }
}
