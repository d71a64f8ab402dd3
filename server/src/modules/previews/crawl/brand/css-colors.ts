import { countsAsColor, hexOf, parseColor } from './color.ts'

// Every part of these is bounded: an expression that is not takes a minute for a text of dashes.
const PROPERTY = /(?<![\w-])--([\w-]{1,60})\s{0,4}:\s{0,4}([^;}{]{1,120})/g
const COLOR = /#[0-9a-f]{3,8}\b|\b(?:rgb|hsl)a?\([^()]{0,80}\)/gi
const BRANDED = /(?:^|[-_])(?:brand|primary|accent|theme)(?:$|[-_])|primarycolor|brandcolor|accentcolor/i
/** What a property of that name is about when it is not the colour itself. */
const ASIDE =
  /text|font|contrast|hover|active|focus|disabled|inverse|foreground|shadow|border|size|width|height|-on-|^on-|light|dark|bg-?subtle|rgb$/i
// Every site on WordPress carries the same twelve colours, and every one on Bootstrap the same eight.
const SHIPPED = /--(?:wp--preset--(?:color|gradient|duotone)|bs)-[\w-]{1,60}\s{0,4}:[^;}{]{0,200}/gi
const MOST_CSS = 300_000
const HEX_TRIPLET = /^\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*$/

/** The colour of a custom property that is named for the brand. Of several, the one with the plainest name. */
export function brandProperty(css: string): string | null {
  const found: { readonly rank: number; readonly color: string }[] = []
  const defined = new Map<string, string>()
  for (const [, name = '', value = ''] of css.slice(0, MOST_CSS).matchAll(PROPERTY)) {
    if (!defined.has(name)) defined.set(name, value.trim())
  }
  for (const [name, value] of defined) {
    const isShipped = name.startsWith('wp--preset') || name.startsWith('bs-')
    const color = isShipped || !BRANDED.test(name) ? null : colorOf(value, defined)
    if (color !== null) found.push({ rank: rankOf(name), color })
  }
  return found.sort((one, other) => one.rank - other.rank)[0]?.color ?? null
}

const rankOf = (name: string): number =>
  (ASIDE.test(name) ? 100 : 0) + (/accent|theme/i.test(name) ? 10 : 0) + name.split(/[-_]/).length

/** Follows one reference, as `--primary: var(--blue)` makes it. */
function colorOf(value: string, defined: ReadonlyMap<string, string>): string | null {
  const reference = /^var\(\s{0,4}--([\w-]{1,60})/.exec(value)?.[1]
  const written = reference === undefined ? value : (defined.get(reference) ?? '')
  const rgb = parseColor(HEX_TRIPLET.test(written) ? `rgb(${written})` : (COLOR_ALONE.exec(written)?.[0] ?? written))
  return rgb !== null && countsAsColor(rgb) ? hexOf(rgb) : null
}

const COLOR_ALONE = /^#[0-9a-f]{3,8}\b|^(?:rgb|hsl)a?\([^()]{0,80}\)/i

/** The saturated colour that is used most. */
export function commonestColor(css: string): string | null {
  const counts = new Map<string, number>()
  for (const [written] of css.slice(0, MOST_CSS).replace(SHIPPED, '').matchAll(COLOR)) {
    const rgb = parseColor(written)
    if (rgb === null || !countsAsColor(rgb)) continue
    const color = hexOf(rgb)
    counts.set(color, (counts.get(color) ?? 0) + 1)
  }
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0] ?? null
}

/** A colour that somebody stated as theirs, if it counts as one. */
export function statedColor(written: unknown): string | null {
  const rgb = typeof written === 'string' ? parseColor(written) : null
  return rgb !== null && countsAsColor(rgb) ? hexOf(rgb) : null
}
