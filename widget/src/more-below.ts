import { h } from './h.ts'
import { drawRating } from './more-rating.ts'
import { watch } from './more-watch.ts'
import { moreWords } from './more-words.ts'
import type { Cards, Ui } from './ui.ts'
import type { Answer } from './wire.ts'

/** What stands below an answer: its rating or, where a person has taken over and there is none, that they have. */
export function below({ sessionId, requestId, meta }: Answer, cards: Cards, ui: Ui): HTMLElement | string {
  if (!sessionId || !requestId) return ''
  const drawn = meta?.takenOver
    ? h('p', { class: 'label taken' }, moreWords(ui).takenOver)
    : drawRating({ sessionId, requestId }, ui)
  // Only what stands in the page knows in which conversation, and under whose key.
  queueMicrotask(() => {
    const item = drawn.closest('li')
    const { host } = drawn.getRootNode() as Partial<ShadowRoot>
    if (!item || !host) return
    if (meta?.takenOver) {
      // It is said once, below what the visitor said last.
      for (const said of item.parentElement?.querySelectorAll('.taken') ?? []) {
        const old = said.closest('li')
        if (old && old !== item) old.hidden = true
      }
      ui.say(`${drawn.textContent}`)
    }
    // The key of a sandbox records no rating, and nobody stands behind it who could write.
    if (host.getAttribute('publishable-key')?.startsWith('tsb_')) drawn.remove()
    else watch({ sessionId, requestId, item, cards, ui })
  })
  return drawn
}
