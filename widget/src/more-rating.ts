import { button, h, icon, THUMB } from './h.ts'
import { moreWords } from './more-words.ts'
import type { Ui } from './ui.ts'

/** Draws two thumbs and, after a choice, a box for a comment. A second choice replaces the first. */
export function drawRating(rated: { sessionId: string; requestId: string }, ui: Ui): HTMLElement {
  const words = moreWords(ui)
  const note = h('small')
  const text = h('textarea', { rows: 2, maxlength: 1000, 'aria-label': words.comment, placeholder: words.comment })
  let rating = ''
  /** Returns true if the rating was recorded, and tells the visitor either way. */
  const send = async (more: { rating: string; comment?: string }): Promise<boolean> => {
    const [message, done] = await ui.post('/v1/chat/feedback', { ...rated, ...more }).then(
      () => [words.thanks, true] as const,
      () => [words.failed, false] as const,
    )
    note.textContent = message
    ui.say(message)
    return done
  }
  const rate = async ({ currentTarget }: Event) => {
    const { value } = currentTarget as HTMLButtonElement
    if (!(await send({ rating: value }))) return
    rating = value
    for (const thumb of thumbs) thumb.ariaPressed = `${thumb.value === rating}`
    form.hidden = false
    ui.grown()
  }
  const thumbs = ['up', 'down'].map((value) =>
    button(
      rate,
      {
        value,
        class: `icon ${value}`,
        title: value === 'up' ? words.helpful : words.unhelpful,
        'aria-pressed': 'false',
      },
      icon(THUMB),
    ),
  )
  const submit = async (event: Event) => {
    event.preventDefault()
    const comment = text.value.trim()
    if (!comment || !(await send({ rating, comment }))) return
    form.hidden = true
    thumbs.find(({ value }) => value === rating)?.focus()
  }
  const form = h('form', { submit, hidden: true }, text, h('button', { class: 'chip' }, words.send))
  return h('div', { class: 'rating' }, ...thumbs, note, form)
}
