export type Child = Node | string | number | false | null | undefined

/**
 * Builds an element from nodes and text, never from markup, so that text can never become an element. A function becomes
 * a listener, and `true` an empty attribute. Anything false or missing is left out.
 */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, unknown>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value as EventListener)
    else if (value != null && value !== false) element.setAttribute(name, value === true ? '' : `${value}`)
  }
  for (const child of children) if (child != null && child !== false) element.append(child as Node)
  return element
}

/** A button that acts by itself and submits no form. */
export const button = (
  click: (event: Event) => unknown,
  attributes: Readonly<Record<string, unknown>>,
  ...children: readonly Child[]
) => h('button', { type: 'button', click, ...attributes }, ...children)

const SVG = 'http://www.w3.org/2000/svg'

/** An icon of one stroked path. Its meaning is in words beside it or in the button's label. */
export function icon(path: string): SVGElement {
  const svg = document.createElementNS(SVG, 'svg')
  const drawn = document.createElementNS(SVG, 'path')
  svg.setAttribute('viewBox', '0 0 24 24')
  svg.ariaHidden = 'true'
  drawn.setAttribute('d', path)
  svg.append(drawn)
  return svg
}

export const CHAT = 'M4 5h16v11H10l-4 4v-4H4z'
export const CLOSE = 'M6 6l12 12M18 6L6 18'
export const SEND = 'M12 19V5M6 11l6-6 6 6'
export const STOP = 'M7 7h10v10H7z'
export const AGAIN = 'M5 12a7 7 0 1 0 2-5M5 4v4h4'
/** Turned upside down, it is the thumb for "not helpful". */
export const THUMB = 'M4 11h3v9H4zM7 11l4-7q2 0 2 2v4h7l-2 10H7'

/** A member that the record itself has. Names from outside may be those that every object inherits, such as `constructor`. */
export const own = <T>(record: Readonly<Record<string, T>> | undefined, name: string): T | undefined =>
  new Map(Object.entries(record ?? {})).get(name)
