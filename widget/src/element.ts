// The launcher and the window, in a page that may move, translate and remove them at any time.
import type { Language } from '@tether/contract'
import { Chat, recall } from './chat.ts'
import { readableOn } from './colour.ts'
import { formatValue } from './format.ts'
import { button, CHAT, h, icon } from './h.ts'
import { followable } from './link.ts'
import css from './style.css'
import { ask, send } from './turn.ts'
import type { More, Ui } from './ui.ts'
import { ChatWindow } from './window.ts'
import { type Words, wordsOf } from './words.ts'

/** The name of the second file, which the bundler knows. */
declare const MORE: string

/** The page returns the customer token that its own server signed, or nothing for a guest. */
export type GetCustomerToken = (options: {
  readonly expired: boolean
}) => Promise<string | null | undefined> | string | null | undefined

/** If a page has several floating elements (the snippet pasted twice), only the first one floats. */
const floating = new Set<ServiceAssistant>()
const floatAll = () => {
  for (const each of floating) each.float()
}
/** Whom the token names. Only the service can tell whether it is true. */
const customerOf = (token: string | null | undefined): string | null => {
  try {
    return JSON.parse(atob(`${token}`.split('.')[1]?.replace(/-/g, '+').replace(/_/g, '/') ?? '')).sub
  } catch {
    return null
  }
}

const sheet = new CSSStyleSheet()
sheet.replaceSync(css)

export class ServiceAssistant extends HTMLElement {
  static observedAttributes = ['lang', 'launcher-label', 'greeting', 'placeholder', 'strings']

  /** The page sets this, and we call it before every request. It is only declared, so that an earlier value survives. */
  declare getCustomerToken?: GetCustomerToken

  readonly #label = h('span')
  readonly #launcher = button(
    () => this.open(),
    { class: 'launcher', part: 'launcher', 'aria-haspopup': 'dialog' },
    icon(CHAT),
    this.#label,
  )
  readonly #shell = h('div', { class: 'shell' }, this.#launcher)
  #strings: Partial<Words> = {}
  #window: ChatWindow | undefined
  #chat: Chat | undefined
  #world: AbortController | undefined
  #branded = false
  #open = false
  #logo: string | undefined

  constructor() {
    super()
    const root = this.attachShadow({ mode: 'open' })
    root.adoptedStyleSheets = [sheet]
    root.append(this.#shell)
  }

  connectedCallback(): void {
    // A page that moves the element removes it and inserts it again, so an open window must return to the top layer.
    if (this.#open) this.#window?.show(false)
    floating.add(this)
    floatAll()
    if (this.#world) return
    this.#world = new AbortController()
    this.#window?.listen(this.#world.signal)
    this.attributeChangedCallback()
    if (!this.#launcher.hidden && recall(this.#name).open) this.open(false)
    void this.#readBrand()
  }

  disconnectedCallback(): void {
    queueMicrotask(() => {
      // An element that is back by now was only moved.
      if (this.isConnected) return
      this.#world?.abort()
      this.#world = undefined
      floating.delete(this)
      floatAll()
      this.#chat?.leave()
      this.#open = false
    })
  }

  attributeChangedCallback(): void {
    try {
      this.#strings = JSON.parse(this.#said('strings', '{}')) as Partial<Words>
    } catch {
      this.#strings = {}
    }
    this.#contrast()
    this.#shell.lang = this.#language
    this.#label.textContent = this.#said('launcher-label', this.#words.launcher)
    this.#window?.label()
  }

  open(focus = true): void {
    const opened = this.#openWindow()
    this.#open = this.#launcher.hidden = true
    this.#contrast()
    opened.show(focus)
    this.#chat?.opened(true)
    void this.#chat?.check()
    void this.#chat?.resume()
  }

  close(): void {
    if (!this.#open) return
    this.#open = false
    this.#window?.element.hidePopover()
    this.#chat?.opened(false)
    this.float()
    this.#launcher.focus()
  }

  /**
   * The launcher keeps its z-index, and never covers what the page itself puts on top. It goes to the top layer only if the
   * page's body has a transform or a filter, because then nothing can be fixed to the window.
   */
  float(): void {
    const launcher = this.#launcher
    const [first] = floating
    launcher.hidden = this.#open || first !== this
    if (launcher.hidden) return
    const { bottom } = launcher.getBoundingClientRect()
    if (Math.abs(innerHeight - bottom - Number.parseFloat(getComputedStyle(launcher).bottom)) > 2)
      launcher.popover = 'manual'
    if (launcher.popover) launcher.togglePopover(true)
  }

  #openWindow(): ChatWindow {
    if (this.#window) return this.#window
    const post: Ui['post'] = (path, ...rest) => {
      const token = async (expired: boolean) => {
        const customer = await this.getCustomerToken?.({ expired })
        chat.who = customerOf(customer)
        return customer
      }
      return ask(this.#endpoint + path, this.#key, token, ...rest)
    }
    const ui: Ui = {
      language: () => this.#language,
      words: () => this.#words,
      show: (value) => formatValue(value, this.#language),
      say: (text) => pane.say(text),
      grown: (toTheEnd) => pane.grown(toTheEnd),
      ask: (prompt) => chat.ask(prompt),
      check: () => chat.check(),
      post,
      address: (path) => this.#endpoint + path,
      later: (use) => later.then(use, () => {}),
    }
    const later = import(ui.address(`/widget/pinned/${MORE}`)) as Promise<More>
    const pane = new ChatWindow({
      words: ui.words,
      said: (...asked) => this.#said(...asked),
      ask: ui.ask,
      stop: () => chat.stop(),
      restart: () => chat.restart(),
      check: ui.check,
      close: () => this.close(),
    })
    // The token is for one action and one customer, so we send nothing else with it. The idempotency key never changes,
    // so that a second request cannot run the action twice.
    const confirm = (actionId: string, token: string) =>
      send(`${this.#endpoint}/v1/actions/${actionId}/confirm`, token, {
        method: 'POST',
        body: JSON.stringify({ idempotencyKey: `widget-${actionId}` }),
      })
    this.#window = pane
    this.#shell.append(pane.element)
    pane.label()
    const chat = new Chat({
      ui,
      name: this.#name,
      list: pane.list,
      confirm,
      who: async () => this.getCustomerToken && customerOf(await this.getCustomerToken({ expired: false })),
      changed: (busy) => pane.paint(busy),
    })
    this.#chat = chat
    ui.later((more) => more.greet(ui, pane.list))
    if (this.#logo) pane.logo(this.#logo)
    if (this.#world) pane.listen(this.#world.signal)
    return pane
  }

  /** The only request before the visitor opens the window. A page that sets the colour itself avoids even that. */
  async #readBrand(): Promise<void> {
    const own = getComputedStyle(this).getPropertyValue('--service-accent')
    if (this.#branded || own || !this.#key.startsWith('tpk_')) return
    this.#branded = true
    try {
      const response = await send(`${this.#endpoint}/v1/chat/brand`, this.#key)
      const brand = (await response.json()) as { color?: string | null; logo?: string | null }
      if (/^#[0-9a-f]{6}$/.test(`${brand.color}`)) this.#shell.style.setProperty('--brand', `${brand.color}`)
      this.#contrast()
      this.#logo = followable(brand.logo)
      if (this.#logo) this.#window?.logo(this.#logo)
    } catch {
      // Without a brand the widget keeps its default colours.
    }
  }

  /** Text on a colour is black or white, whichever reads better, wherever the colour comes from. */
  #contrast(): void {
    const { style } = this.#shell
    style.setProperty('--on-brand', readableOn(getComputedStyle(this.#launcher).backgroundColor))
    style.setProperty('--on-bubble', readableOn(getComputedStyle(this.#shell).backgroundColor))
  }

  #said(name: string, otherwise = ''): string {
    return this.getAttribute(name) ?? otherwise
  }

  get #endpoint(): string {
    return this.#said('endpoint').replace(/\/+$/, '')
  }

  get #key(): string {
    return this.#said('publishable-key').trim()
  }

  get #name(): string {
    return `service-assistant ${this.#key.slice(0, 12)}`
  }

  get #language(): Language {
    return /^ka\b/i.test(this.#said('lang', document.documentElement.lang)) ? 'ka' : 'en'
  }

  get #words(): Words {
    return { ...wordsOf(this.#language), ...this.#strings }
  }
}
