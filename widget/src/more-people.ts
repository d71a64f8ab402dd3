// What people at the business write, among the turns of a conversation.
import { h } from './h.ts'
import { link } from './link.ts'
import { moreWords } from './more-words.ts'
import type { Ui } from './ui.ts'

export type Message = {
  readonly id: string
  readonly from?: { readonly name?: string }
  readonly text: string
  /** The turn that it follows. */
  readonly after?: string | null
}

const drawn = new Map<string, HTMLElement>()

/** Each is shown once, however often it is told. */
export function openMessages(turns: ReadonlyMap<string, HTMLElement>, ui: Ui) {
  return {
    add(message: Message): void {
      if (drawn.get(message.id)?.isConnected) return
      const item = draw(message, ui)
      drawn.set(message.id, item)
      place(item, turns, message.after)
      ui.say(`${item.textContent}`)
      ui.grown()
    },
  }
}

function draw({ from, text }: Message, ui: Ui): HTMLElement {
  const who = moreWords(ui).writes.replace('{}', () => from?.name ?? '')
  const words = h('div', { class: 'text' }, ...text.split(/(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]])/).map(piece))
  words.style.whiteSpace = 'pre-wrap'
  return h(
    'li',
    { class: 'person' },
    h('div', { class: 'answer', part: 'answer' }, h('p', { class: 'label' }, who), words),
  )
}

/** An address stands at every second place of a text that was split at its addresses. */
const piece = (text: string, at: number): Node | string => (at % 2 ? link(text, text) : text)

/** After its turn and what was written there before; at the end, if that is the latest turn or none that this page shows. */
function place(item: HTMLElement, turns: ReadonlyMap<string, HTMLElement>, after: string | null = null): void {
  const shown = [...turns.values()].filter(({ isConnected }) => isConnected)
  const last = shown.at(-1)
  let before: Element | undefined | null = turns.get(`${after}`)
  if (!before?.isConnected || before === last) {
    last?.parentElement?.append(item)
    return
  }
  while (before.nextElementSibling?.className === 'person') before = before.nextElementSibling
  before.after(item)
}
