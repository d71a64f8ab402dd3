import { z } from 'zod'

// The parts of an answer. A client draws each by its type, and may leave out a type that it does not know.

const MOST_ITEMS = 200
const line = (max: number) => z.string().min(1).max(max)
const Cell = z.union([z.string().max(2000), z.number(), z.boolean(), z.null()])
const Figure = z.union([z.string().min(1).max(200), z.number()])
/** Allows only links that a page may safely follow. */
const Link = z
  .string()
  .max(2048)
  .regex(/^https?:\/\/[^\s<>"'\\]+$/i)
/** Set on every block of an answer that comes from a public website before any integration. */
const preview = { preview: z.literal(true).optional() }

export const TextBlock = z.object({ type: z.literal('text'), markdown: z.string(), ...preview })

export const KpiBlock = z.object({
  type: z.literal('kpi'),
  label: line(200),
  value: Figure,
  unit: z.string().max(40).optional(),
  delta: Figure.optional(),
  trend: z.enum(['up', 'down', 'flat']).optional(),
  ...preview,
})

export const TableBlock = z.object({
  type: z.literal('table'),
  title: z.string().max(200).optional(),
  columns: z
    .array(
      z.object({ key: line(100), label: z.string().max(200), align: z.enum(['left', 'right', 'center']).optional() }),
    )
    .min(1)
    .max(30),
  rows: z.array(z.record(z.string().max(100), Cell)).max(MOST_ITEMS),
  ...preview,
})

export const RankedListBlock = z.object({
  type: z.literal('ranked_list'),
  title: z.string().max(200).optional(),
  items: z
    .array(
      z.object({
        label: line(300),
        value: Figure.optional(),
        detail: z.string().max(1000).optional(),
        url: Link.optional(),
      }),
    )
    .min(1)
    .max(MOST_ITEMS),
  ...preview,
})

export const StackedBarBlock = z.object({
  type: z.literal('stacked_bar'),
  title: z.string().max(200).optional(),
  categories: z.array(z.string().max(200)).min(1).max(MOST_ITEMS),
  series: z
    .array(z.object({ name: line(200), values: z.array(z.number()).max(MOST_ITEMS) }))
    .min(1)
    .max(30),
  ...preview,
})

export const QuickRepliesBlock = z.object({
  type: z.literal('quick_replies'),
  replies: z
    .array(z.object({ label: line(120), prompt: line(1000) }))
    .min(1)
    .max(12),
  ...preview,
})

export const FootnoteBlock = z.object({
  type: z.literal('footnote'),
  text: line(2000),
  url: Link.optional(),
  ...preview,
})

export const Block = z
  .discriminatedUnion('type', [
    TextBlock,
    KpiBlock,
    TableBlock,
    RankedListBlock,
    StackedBarBlock,
    QuickRepliesBlock,
    FootnoteBlock,
  ])
  .meta({ id: 'Block', description: 'One part of an answer.' })
export type Block = z.output<typeof Block>

/** The types that a model asks for with a fence. Text needs no fence, and may have one. */
export const FENCED_TYPES = ['text', 'kpi', 'table', 'ranked_list', 'stacked_bar', 'quick_replies', 'footnote'] as const

/** The block in a fence named `block:<type>`, or undefined if it is not valid. */
export function blockOf(type: string, json: string): Block | undefined {
  if (!FENCED_TYPES.some((one) => one === type)) return undefined
  try {
    const value: unknown = JSON.parse(json)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    const read = Block.safeParse({ ...value, type, preview: undefined })
    return read.success && isWhole(read.data) ? withoutAbsent(read.data) : undefined
  } catch {
    return undefined
  }
}

/** A stacked bar needs a value for each of its categories. */
const isWhole = (block: Block): boolean =>
  block.type !== 'stacked_bar' || block.series.every(({ values }) => values.length === block.categories.length)

function withoutAbsent(block: Block): Block {
  const { preview: _, ...rest } = block
  return rest
}
