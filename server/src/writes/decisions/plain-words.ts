import type { Context } from '../../tenancy/context/index.ts'
import { latestExchanges } from './queries.ts'

// An answer as somebody reads it: its Markdown taken off, its words and addresses all there.

const RULE = /^ {0,3}(?:(?:- *){3,}|(?:\* *){3,}|(?:_ *){3,})$/
const TABLE_LINE = /^\|?[\s:|-]*-[\s:|-]*$/

/** Line by line, and each text in one look: nothing here can take long, whatever a model wrote. */
export function plainWords(markdown: string): string {
  const lines = markdown
    .replace(/```block:[\s\S]*?(?:```|$)/g, '')
    .split(/\r\n?|\n/)
    .flatMap(plainLine)
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

function plainLine(line: string): string[] {
  const unquoted = line.replace(/^(?: {0,3}> ?)+/, '')
  if (/^ {0,3}(?:```|~~~)/.test(unquoted) || RULE.test(unquoted)) return []
  if (unquoted.includes('|') && TABLE_LINE.test(unquoted)) return []
  const cells = /^\s*\|(.*)\|\s*$/.exec(unquoted)?.[1]
  if (cells !== undefined)
    return [
      plainInline(
        cells
          .split('|')
          .map((cell) => cell.trim())
          .join(' · '),
      ),
    ]
  const said = unquoted.replace(/^ {0,3}#{1,6}\s+/, '').replace(/^(\s*)[-*+]\s+/, '$1• ')
  return [plainInline(said)]
}

const MARKS: readonly (readonly [RegExp, string])[] = [
  [/\[\^[^\]\s]{1,40}\]/g, ''],
  [/!?\[([^[\]]{0,500})\]\((\S{1,1000}?)(?: "[^"]{0,200}")?\)/g, '$1 ($2)'],
  [/\*\*(?=\S)([^*]{1,1000}?)\*\*/g, '$1'],
  [/(?<![\p{L}\p{N}])__(?=\S)([^_]{1,1000}?)__(?![\p{L}\p{N}])/gu, '$1'],
  [/(?<![\p{L}\p{N}*])\*(?=[^\s*])([^*]{1,1000}?)\*(?![\p{L}\p{N}*])/gu, '$1'],
  [/(?<![\p{L}\p{N}_])_(?=[^\s_])([^_]{1,1000}?)_(?![\p{L}\p{N}_])/gu, '$1'],
  [/\\([\\`*_{}[\]()#+\-.!>|])/g, '$1'],
]

/** What stands in code is left as it was written. */
const plainInline = (text: string): string =>
  text
    .split(/(`[^`]{1,1000}`)/)
    .map((part, at) =>
      at % 2 === 1 ? part.slice(1, -1) : MARKS.reduce((all, [mark, by]) => all.replace(mark, by), part),
    )
    .join('')
    .trimEnd()

export type Said = { readonly prompt: string; readonly reply: string; readonly at: Date }

const LONGEST = 2_000

/** The last things that were said in a conversation, the oldest first: the words alone, without figures and tables. */
export async function latestSaid({ db, asking }: Context, sessionId: string, most: number): Promise<readonly Said[]> {
  const rows = await db.rows(latestExchanges, { tenantId: asking.tenantId, sessionId, most, longest: LONGEST })
  return rows.toReversed().map(({ prompt, reply, at }) => ({ prompt, reply: plainWords(reply), at }))
}
