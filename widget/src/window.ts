// The window of the conversation: what is in it, its keyboard, its place on a telephone.
import { AGAIN, button, CHAT, CLOSE, h, icon, SEND, STOP } from './h.ts'
import type { Ui } from './ui.ts'

export type Window = ReturnType<typeof layOut>

type Does = { ask(prompt: string): void; stop(): void; restart(): void; close(): void }

export function layOut({ words }: Pick<Ui, 'words'>, said: (name: string, otherwise?: string) => string, does: Does) {
  const mark = h('span', { class: 'mark' }, icon(CHAT))
  const title = h('h2', { id: 't' })
  const again = button(
    () => {
      does.restart()
      input.focus()
    },
    { class: 'icon' },
    icon(AGAIN),
  )
  const close = button(does.close, { class: 'icon' }, icon(CLOSE))
  const greeting = h('p')
  const list = h('ol')
  const scroller = h('div', { class: 'scroller', part: 'transcript', role: 'region', tabindex: 0 }, greeting, list)
  const notice = h('p', { class: 'notice', role: 'alert' })
  const input = h('textarea', {
    part: 'input',
    rows: 1,
    maxlength: 8000,
    enterkeyhint: 'send',
    keydown: typed,
    input: fit,
  })
  const action = h('button', { class: 'send', part: 'send' })
  const status = h('div', { class: 'unseen', role: 'status' })
  const element = h(
    'div',
    {
      class: 'panel',
      part: 'panel',
      role: 'dialog',
      'aria-labelledby': 't',
      tabindex: -1,
      popover: 'manual',
      keydown: leave,
    },
    h('header', { part: 'header' }, mark, title, again, close),
    scroller,
    notice,
    h('form', { part: 'composer', submit }, input, action),
    status,
  )
  let running = false
  let atEnd = true

  /** Where the transcript stands decides whether it follows what grows. */
  scroller.addEventListener('scroll', () => {
    atEnd = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 60
  })
  function tellWhetherOnline(): void {
    notice.textContent = navigator.onLine ? '' : words().offline
  }
  function fit(): void {
    input.style.height = 'auto'
    input.style.height = `${Math.min(input.scrollHeight + 2, 140)}px`
  }
  function typed(event: KeyboardEvent): void {
    // While a word is being composed, Enter chooses it.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
    event.preventDefault()
    if (!running) ask()
  }
  function leave(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || event.isComposing) return
    event.stopPropagation()
    does.close()
  }
  function submit(event: Event): void {
    event.preventDefault()
    if (running) does.stop()
    else ask()
    input.focus()
  }
  function ask(): void {
    const prompt = input.value.trim()
    // The draft stays in its box: it is worth more than a bubble that says it failed.
    tellWhetherOnline()
    if (!prompt || !navigator.onLine) return
    input.value = ''
    fit()
    does.ask(prompt)
  }
  const paint = (busy: boolean) => {
    running = busy
    action.replaceChildren(icon(busy ? STOP : SEND))
    action.title = busy ? words().stop : words().send
    again.hidden = !list.firstChild
  }
  return {
    element,
    list,
    paint,
    say(text: string) {
      status.textContent = text
    },
    grown(toTheEnd = atEnd) {
      atEnd = toTheEnd
      if (atEnd) scroller.scrollTop = scroller.scrollHeight
    },
    show(focus: boolean) {
      element.togglePopover(true)
      scroller.scrollTop = scroller.scrollHeight
      // On a telephone the keyboard would cover what was just opened.
      if (focus) (matchMedia('(pointer: coarse)').matches ? element : input).focus()
    },
    /** Says everything anew, in the words of now. */
    label() {
      title.textContent = words().title
      greeting.textContent = said('greeting')
      input.placeholder = said('placeholder', words().input)
      input.ariaLabel = words().input
      scroller.ariaLabel = words().conversation
      again.title = words().restart
      close.title = words().close
      paint(running)
    },
    logo(address: string) {
      const image = h('img', { alt: '', referrerpolicy: 'no-referrer', load: () => mark.replaceChildren(image) })
      image.src = address
    },
    /** Listens to the world while the element is in the page. */
    listen(signal: AbortSignal) {
      const { visualViewport } = globalThis
      // Keeps a full-screen window inside what the keyboard leaves free. iOS scrolls instead of resizing.
      const follow = () => {
        element.style.setProperty('--top', `${visualViewport?.offsetTop}px`)
        element.style.setProperty('--tall', `${visualViewport?.height}px`)
      }
      addEventListener('offline', tellWhetherOnline, { signal })
      addEventListener('online', tellWhetherOnline, { signal })
      for (const event of ['resize', 'scroll']) visualViewport?.addEventListener(event, follow, { signal })
      follow()
    },
  }
}
