// Bars by day, drawn on the server. The series are told apart by colour and by how they are filled, and each day says its figures.
import { type Html, html } from '../../kernel/html/index.ts'

export type Series = { readonly name: string; readonly look: 'full' | 'hatched' | 'outlined' }
export type Day = { readonly date: string; readonly values: readonly number[] }

const [WIDTH, HEIGHT, FLOOR, TOP] = [700, 190, 160, 10] as const

/** A round number that no bar exceeds. */
export function ceilingOf(most: number): number {
  const size = 10 ** Math.floor(Math.log10(Math.max(1, most)))
  return [1, 2, 5, 10].map((step) => step * size).find((one) => one >= most) ?? most
}

type Plot = {
  readonly name: string
  readonly title: string
  /** What it shows in a sentence, for whoever does not see it. */
  readonly sentence: string
  readonly series: readonly Series[]
  readonly days: readonly Day[]
}

export function barPlot({ name, title, sentence, series, days }: Plot): Html {
  const most = ceilingOf(Math.max(1, ...days.map(({ values }) => values.reduce((sum, one) => sum + one, 0))))
  const slot = WIDTH / Math.max(1, days.length)
  const every = Math.ceil(days.length / 16)
  const bars = days.map((day, index) => {
    let from = FLOOR
    const parts = day.values.map((value, at) => {
      const high = (value / most) * (FLOOR - TOP)
      from -= high
      const look = series[at]?.look ?? 'full'
      return (
        value > 0 &&
        html`<rect class="bar-${look}" x="${(index * slot + slot * 0.2).toFixed(1)}" y="${from.toFixed(1)}" width="${(slot * 0.6).toFixed(1)}" height="${high.toFixed(1)}"${look === 'hatched' && html` fill="url(#hatch-${name})"`}/>`
      )
    })
    const label =
      index % every === 0 &&
      html`<text x="${(index * slot + slot / 2).toFixed(1)}" y="${FLOOR + 20}" text-anchor="middle">${Number(day.date.slice(8))}</text>`
    return html`${parts}${label}`
  })
  const legend = series.map(
    ({ name: label, look }) =>
      html`<li><svg width="14" height="14" aria-hidden="true"><rect class="bar-${look}" x="1" y="1" width="12" height="12"${look === 'hatched' && html` fill="url(#hatch-${name})"`}/></svg> ${label}</li>`,
  )
  return html`<div class="wide" tabindex="0" role="region" aria-label="${title}"><svg class="plot" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${sentence}">
<defs><pattern id="hatch-${name}" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="hatch-ground" width="5" height="5"/><line class="hatch-line" x1="0" y1="0" x2="0" y2="5"/></pattern></defs>
<line class="floor" x1="0" y1="${FLOOR}" x2="${WIDTH}" y2="${FLOOR}"/><text x="0" y="${TOP + 2}">${most}</text>
${bars}
</svg></div>
<ul class="legend">${legend}</ul>`
}
