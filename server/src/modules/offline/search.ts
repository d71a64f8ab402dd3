// "Do you have red shoes?" names no tool. If the catalog has a search, we search for it.

import type { OfferedTool } from '../../kernel/model/index.ts'
import { verbKey, wordsIn } from '../../kernel/text/index.ts'
import { fillArguments, questionOf, type Values } from './fill-arguments.ts'
import { isQuestion, isReported, isTelling } from './sentence.ts'
import { isContent, meet, NEGATION, termsIn } from './words.ts'

/** A visitor who wants to change something is not looking for a thing of that name. */
const CHANGES = ['#cancel', '#change', '#delete', '#return', '#send', '#book', '#create']
const SHORT = 3
const SEEKS =
  /\b(do you (have|sell|carry)|have you got|are there any|is there an?|i('m| am) looking for|looking for|i (want|need)|i('d| would) like|search for|find( me)?|show me)\b|(?<![\p{L}])(გაქვთ|გაქვს|იყიდება|ყიდით|ვეძებ|მინდა|მჭირდება|მაინტერესებს|მაჩვენეთ?|მიპოვეთ?|მოძებნეთ?)(?![\p{L}])/iu

const TO_DO = /\b(?:want|need|like) to (?!buy|find|see|get|know|have)|^\s*(?:please\s+)?tell\b/iu

/** True for "I want to reserve" and "გამიგრძელეთ", which ask for an action and not for a thing. */
const isToBeDone = (text: string): boolean =>
  TO_DO.test(text) || wordsIn(text).some((word) => verbKey(word) !== undefined && /(?:ეთ|ო|ოთ)$/u.test(word))

export function searchIn(tool: OfferedTool, text: string): Values | undefined {
  const words = wordsIn(text).filter(isContent)
  const isPhrase =
    words.length > 0 && words.length <= SHORT && !isQuestion(text) && !isTelling(text) && !NEGATION.test(text)
  if ((!SEEKS.test(text) && !isPhrase) || isToBeDone(text) || isReported(text) || meet(CHANGES, termsIn(text)))
    return undefined
  const { values, missing } = fillArguments(tool, questionOf(text.replace(SEEKS, ' ')))
  return missing.length > 0 || Object.keys(values).length === 0 ? undefined : values
}
