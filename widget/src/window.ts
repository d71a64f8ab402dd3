// The window of the conversation: its parts, its keyboard, and its place on a phone.
import { AGAIN, button, CHAT, CLOSE, h, icon, SEND, STOP } from './h.ts'
import type { Words } from './words.ts'

type WindowParts = {
  readonly words: () => Words
  readonly said: (name: string, otherwise?: string) => string
  readonly ask: (prompt: string) => unknown
  readonly stop: () => void
  readonly restart: () => void
  readonly close: () => void
  readonly check: () => unknown
}

export class ChatWindow {
  readonly list = h('ol')
  readonly element: HTMLElement
  readonly #parts: WindowParts
  readonly #mark = h('span', { class: 'mark' }, icon(CHAT))
  readonly #title = h('h2', { id: 't' })
  readonly #again: HTMLElement
  readonly #close: HTMLElement
  readonly #greeting = h('p')
  readonly #scroller = h(
    'div',
    { class: 'scroller', part: 'transcript', role: 'region', tabindex: 0 },
    this.#greeting,
    this.list,
  )
  readonly #notice = h('p', { class: 'notice', role: 'alert' })
  readonly #input = h('textarea', { part: 'input', rows: 1, enterkeyhint: 'send' })
  readonly #action = h('button', { class: 'send', part: 'send' })
  readonly #status = h('div', { class: 'unseen', role: 'status' })
  #running = false
  #atEnd = true

  constructor(parts: WindowParts) {
    const input = this.#input
    const scroller = this.#scroller
    const restart = () => {
      parts.restart()
      input.focus()
    }
    const submit = (event: Event) => {
      event.preventDefault()
      if (this.#running) parts.stop()
      else this.#ask()
      input.focus()
    }
    const keydown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing) return
      event.stopPropagation()
      parts.close()
    }
    this.#parts = parts
    this.#again = button(restart, { class: 'icon' }, icon(AGAIN))
    this.#close = button(parts.close, { class: 'icon' }, icon(CLOSE))
    this.element = h(
      'div',
      {
        class: 'panel',
        part: 'panel',
        role: 'dialog',
        'aria-labelledby': 't',
        tabindex: -1,
        popover: 'manual',
        keydown,
      },
      h('div', { class: 'head', part: 'header' }, this.#mark, this.#title, this.#again, this.#close),
      scroller,
      this.#notice,
      h('form', { part: 'composer', submit }, input, this.#action),
      this.#status,
    )
    input.addEventListener('input', () => this.#fit())
    input.addEventListener('keydown', (event) => {
      // While the visitor composes a word, Enter chooses it.
      if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
      event.preventDefault()
      if (!this.#running) this.#ask()
    })
    // The transcript follows growing text only if the visitor is at its end.
    scroller.addEventListener('scroll', () => {
      this.#atEnd = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 60
    })
  }

  say(text: string): void {
    this.#status.textContent = text
  }

  grown(toTheEnd = this.#atEnd): void {
    this.#atEnd = toTheEnd
    if (toTheEnd) this.#scroller.scrollTop = this.#scroller.scrollHeight
  }

  show(focus: boolean): void {
    this.element.togglePopover(true)
    this.grown()
    // On a phone the keyboard would cover the window that was just opened.
    if (focus) (matchMedia('(pointer: coarse)').matches ? this.element : this.#input).focus()
  }

  paint(busy: boolean): void {
    const { words } = this.#parts
    this.#running = busy
    this.#action.replaceChildren(icon(busy ? STOP : SEND))
    this.#action.title = busy ? words().stop : words().send
    this.#again.hidden = !this.list.firstChild
  }

  /** Sets every text again, in the current words. */
  label(): void {
    const { said } = this.#parts
    const words = this.#parts.words()
    this.#title.textContent = words.title
    this.#greeting.textContent = said('greeting')
    this.#input.placeholder = said('placeholder', words.input)
    this.#input.ariaLabel = words.input
    this.#scroller.ariaLabel = words.conversation
    this.#again.title = words.restart
    this.#close.title = words.close
    this.paint(this.#running)
  }

  logo(address: string): void {
    const image = h('img', { alt: '', referrerpolicy: 'no-referrer', load: () => this.#mark.replaceChildren(image) })
    image.src = address
  }

  /** Listens to the browser while the element is in the page. */
  listen(signal: AbortSignal): void {
    const { visualViewport } = window
    const { style } = this.element
    const online = () => this.#tellWhetherOnline()
    // Keeps a full-screen window inside the area that the keyboard leaves free. iOS scrolls instead of resizing.
    const follow = () => {
      style.setProperty('--top', `${visualViewport?.offsetTop}px`)
      style.setProperty('--tall', `${visualViewport?.height}px`)
    }
    const { check } = this.#parts
    for (const event of ['offline', 'online']) addEventListener(event, online, { signal })
    for (const event of ['focus', 'pageshow']) addEventListener(event, check, { signal })
    for (const event of ['resize', 'scroll']) visualViewport?.addEventListener(event, follow, { signal })
    follow()
  }

  #ask(): void {
    const prompt = this.#input.value.trim()
    // Offline, the draft stays in its box. That is better than a message that failed.
    this.#tellWhetherOnline()
    if (!prompt || !navigator.onLine) return
    this.#input.value = ''
    this.#fit()
    this.#parts.ask(prompt)
  }

  #tellWhetherOnline(): void {
    this.#notice.textContent = navigator.onLine ? '' : this.#parts.words().offline
  }

  #fit(): void {
    const input = this.#input
    input.style.height = 'auto'
    input.style.height = `${Math.min(input.scrollHeight + 2, 140)}px`
  }
}
