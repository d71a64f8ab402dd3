// The launcher, the window, and their life in a page that moves, translates and removes them as it likes.
import { type Chat, openChat, recall } from './chat.ts'
import { readableOn } from './colour.ts'
import { formatValue } from './format.ts'
import { button, CHAT, h, icon } from './h.ts'
import { followable } from './link.ts'
import { ask, send } from './service.ts'
import css from './style.css'
import type { Ui } from './ui.ts'
import { layOut, type Window } from './window.ts'
import { type Language, type Words, wordsOf } from './words.ts'

/** How the page says who is signed in: the customer token that its own server signed, or nothing for a guest. */
export type GetCustomerToken = (options: {
  readonly expired: boolean
}) => Promise<string | null | undefined> | string | null | undefined

export type Host = HTMLElement & { getCustomerToken?: GetCustomerToken }

/** Of several floating ones in a page (the snippet pasted twice) the first one floats. */
const floating = new Set<() => void>()
const sheet = new CSSStyleSheet()
sheet.replaceSync(css)

export function openAssistant(host: Host) {
  const said = (name: string, otherwise = ''): string => host.getAttribute(name) ?? otherwise
  const language = (): Language => (/^ka\b/i.test(said('lang', document.documentElement.lang)) ? 'ka' : 'en')
  const words = (): Words => ({ ...wordsOf(language()), ...overrides })
  const endpoint = () => said('endpoint').replace(/\/+$/, '')
  const key = () => said('publishable-key').trim()
  const name = () => `service-assistant ${key().slice(0, 12)}`
  const label = h('span')
  const launcher = button(
    () => open(),
    { class: 'launcher', part: 'launcher', 'aria-haspopup': 'dialog' },
    icon(CHAT),
    label,
  )
  const shell = h('div', { class: 'shell' }, launcher)
  let overrides: Partial<Words> = {}
  let pane: Window | undefined
  let chat: Chat | undefined
  let world: AbortController | undefined
  let branded = false
  let isOpen = false
  let logo: string | undefined

  const root = host.attachShadow({ mode: 'open' })
  root.adoptedStyleSheets = [sheet]
  root.append(shell)

  const relabel = () => {
    try {
      overrides = JSON.parse(said('strings', '{}')) as Partial<Words>
    } catch {
      overrides = {}
    }
    colour(said('accent'))
    shell.lang = language()
    label.textContent = said('launcher-label', words().launcher)
    pane?.label()
  }

  /** What is written on a colour is black or white, whichever reads better, wherever the colour came from. */
  function contrast(): void {
    shell.style.setProperty('--on-brand', readableOn(getComputedStyle(launcher).backgroundColor))
    shell.style.setProperty('--on-bubble', readableOn(getComputedStyle(shell).backgroundColor))
  }
  function colour(given: unknown): void {
    if (/^#[0-9a-f]{6}$/i.test(`${given}`)) shell.style.setProperty('--brand', `${given}`)
    contrast()
  }

  /** The one request before anybody opened anything. A page that names the colour itself saves even that. */
  async function readBrand(): Promise<void> {
    if (
      branded ||
      !key().startsWith('tpk_') ||
      said('accent') ||
      getComputedStyle(host).getPropertyValue('--service-accent')
    )
      return
    branded = true
    try {
      const response = await send(`${endpoint()}/v1/chat/brand`, key())
      const brand = (await response.json()) as { color?: string | null; logo?: string | null }
      colour(brand.color)
      logo = followable(brand.logo)
      if (logo) pane?.logo(logo)
    } catch {
      // Without a brand it has the colours that it came with.
    }
  }

  const openWindow = (): Window => {
    if (pane) return pane
    const ui: Ui = {
      language,
      words,
      show: (value) => formatValue(value, language()),
      say: (text) => view.say(text),
      grown: (toTheEnd) => view.grown(toTheEnd),
      ask: (prompt) => talk.ask(prompt),
      post: (path, ...rest) =>
        ask(endpoint() + path, key(), async (expired) => host.getCustomerToken?.({ expired }), ...rest),
    }
    const view = layOut(ui, said, { ask: ui.ask, stop: () => talk.stop(), restart: () => talk.restart(), close })
    // The token speaks for one action and one customer, so nothing else goes with it. The confirm's own key never
    // changes, so that asking a second time cannot do it a second time.
    const confirm = (actionId: string, token: string) =>
      send(`${endpoint()}/v1/actions/${actionId}/confirm`, token, {
        method: 'POST',
        body: JSON.stringify({ idempotencyKey: `widget-${actionId}` }),
      })
    pane = view
    shell.append(view.element)
    view.label()
    const talk = openChat(ui, name(), view.list, confirm, view.paint)
    chat = talk
    if (logo) view.logo(logo)
    if (world) view.listen(world.signal)
    return view
  }

  function open(focus = true): void {
    const view = openWindow()
    isOpen = launcher.hidden = true
    contrast()
    view.show(focus)
    chat?.opened(true)
    chat?.resume()
  }

  function close(): void {
    if (!isOpen) return
    isOpen = false
    pane?.element.hidePopover()
    chat?.opened(false)
    float()
    launcher.focus()
  }

  /**
   * The launcher lies as high as the page allows and never above what the page itself puts on top. Only where a page
   * moves its body (a transform, a filter), so that nothing can be fixed to the window, it goes to the top layer.
   */
  function float(): void {
    const [first] = floating
    launcher.hidden = isOpen || first !== float
    if (launcher.hidden) return
    const { bottom } = launcher.getBoundingClientRect()
    if (Math.abs(innerHeight - bottom - Number.parseFloat(getComputedStyle(launcher).bottom)) > 2)
      launcher.popover = 'manual'
    if (launcher.popover) launcher.togglePopover(true)
  }
  const floatAll = () => {
    for (const each of floating) each()
  }

  return {
    relabel,
    open,
    close,
    arrive() {
      // A move takes an element out and puts it back; a window in the top layer has to be put there again.
      if (isOpen) pane?.show(false)
      floating.add(float)
      floatAll()
      if (world) return
      world = new AbortController()
      pane?.listen(world.signal)
      relabel()
      if (!launcher.hidden && recall(name()).open) open(false)
      void readBrand()
    },
    leave() {
      world?.abort()
      world = undefined
      floating.delete(float)
      floatAll()
      chat?.leave()
      isOpen = false
    },
  }
}
