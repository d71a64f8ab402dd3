// The marks with which a model says what it used: "[1]" behind a statement that rests on the first text that it was given. A mark
// of a text that was given becomes a small figure, and its source a footnote; any other mark disappears.

export type Marks = {
  /** Takes the next piece, which may be cut anywhere, and returns what can be shown of it. */
  take(piece: string): string
  /** Returns what was held back. */
  end(): string
  /** The numbers of the texts that were marked, in the order of their figures. */
  readonly used: readonly number[]
}

/** "[1]", "[^1]", "[1, 2]" and "【1】" with whatever a model adds to the last. A link is none, nor is a footnote's own line. */
const MARK = /[ \t]{0,8}(?:\[(\^?\d{1,3}(?: ?[,;] ?\^?\d{1,3}){0,9})\](?![(:])|【(\d{1,3})[^】\n]{0,40}】)/g
/** The end of a piece that the next one may make a mark of, or the beginning of code. */
const UNFINISHED = /[ \t]{0,8}(?:\[[\^\d ,;]{0,60}\]?|【[^】\n]{0,44}|`{1,8})?$/
const FIGURES = '⁰¹²³⁴⁵⁶⁷⁸⁹'

export const figureOf = (number: number): string =>
  Array.from(String(number), (digit) => FIGURES[Number(digit)] ?? '').join('')

export function openMarks(given: number): Marks {
  const used: number[] = []
  const code = openCode()
  let held = ''
  const figures = (_: string, list: string | undefined, single: string | undefined): string => {
    const numbers = (list ?? single ?? '').match(/\d+/g)?.map(Number) ?? []
    const known = [...new Set(numbers)].filter((number) => number >= 1 && number <= given)
    for (const number of known) if (!used.includes(number)) used.push(number)
    return known.map((number) => figureOf(used.indexOf(number) + 1)).join(' ')
  }
  const shown = (text: string): string =>
    code
      .parts(text)
      .map(({ part, isCode }) => (isCode ? part : part.replace(MARK, figures)))
      .join('')
  return {
    take(piece) {
      const text = held + piece
      held = UNFINISHED.exec(text)?.[0] ?? ''
      return shown(text.slice(0, text.length - held.length))
    },
    end() {
      const rest = shown(held)
      held = ''
      return rest
    },
    used,
  }
}

/** Tells code, between backticks, from words. What looks like a mark in code is part of it. */
function openCode() {
  let fence = ''
  return {
    parts(text: string): { part: string; isCode: boolean }[] {
      return (text.match(/`+|\n|[^`\n]+/g) ?? []).map((part) => {
        const isCode = fence !== ''
        if (part.startsWith('`')) fence = fence === '' ? part : part === fence ? '' : fence
        // Code within a line ends with the line.
        else if (part === '\n' && fence.length < 3) fence = ''
        return { part, isCode }
      })
    },
  }
}

/** The text as it reads without any mark: what a conversation remembers, where the numbers would name other texts. */
export function withoutMarks(text: string): string {
  const marks = openMarks(0)
  return marks.take(text) + marks.end()
}
