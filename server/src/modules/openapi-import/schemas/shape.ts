/** How much of a schema a tool carries. */
export type Shape = {
  /** What a reference becomes: what it names, in its place, or a reference into the tool's own `$defs`. */
  readonly references: 'inline' | 'defs'
  /** Levels of members and items below an argument. What is deeper keeps its type alone. */
  readonly depth: number
  /** The longest description, and the level from which on there is none. */
  readonly description: { readonly longest: number; readonly levels: number }
}

const all = { longest: Number.POSITIVE_INFINITY, levels: Number.POSITIVE_INFINITY } as const
const brief = { longest: 300, levels: 3 } as const

/**
 * From the whole schema down to one whose arguments have a type alone. A tool takes the first that fits. Whatever is cut,
 * the API's own check remains, so a cut never refuses what the API would take.
 */
export const LADDER: readonly Shape[] = [
  { references: 'inline', depth: 8, description: all },
  { references: 'defs', depth: Number.POSITIVE_INFINITY, description: all },
  { references: 'defs', depth: Number.POSITIVE_INFINITY, description: brief },
  { references: 'inline', depth: 4, description: brief },
  { references: 'inline', depth: 3, description: brief },
  { references: 'inline', depth: 2, description: brief },
  { references: 'inline', depth: 1, description: { longest: 120, levels: 1 } },
]
