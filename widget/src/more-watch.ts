// What becomes of a proposal, while its window is open and after a reload.
import { type Failure, failure } from './failure.ts'
import { readEvents } from './sse.ts'
import type { Cards, Ui } from './ui.ts'

type News = { readonly type: string; readonly actionId?: string; readonly status?: string; readonly text?: string }

const SECOND = 1000
const LONGEST = 60 * SECOND
// The service sends something every 15 s, if only a comment.
const SILENCE = 40 * SECOND

const watched = new Set<string>()
const decided = new WeakSet<Element>()

const wait = (ms: number): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, ms))

/** Watches one conversation for as long as one of its cards is undecided and in the page. */
export function watch(sessionId: string, cards: Cards, ui: Ui): void {
  if (watched.has(sessionId)) return
  watched.add(sessionId)
  void follow(sessionId, cards, ui).finally(() => watched.delete(sessionId))
}

async function follow(sessionId: string, cards: Cards, ui: Ui): Promise<void> {
  const open = () => Object.values(cards).filter((card) => card.isConnected && !decided.has(card))
  for (let failures = 0; open()[0]; ) {
    // Nobody looks at a window that is closed, or at a page in the background.
    if (document.hidden || !open().some(({ parentElement }) => parentElement?.checkVisibility())) {
      await wait(SECOND)
      continue
    }
    try {
      await watchOnce(sessionId, cards, ui, open)
      failures = 0
      await wait(SECOND)
    } catch (error) {
      const { status, message, retryAfter } = error as Failure
      if (message === 'session_not_yours') await ui.check()
      if (status && status < 500 && status !== 429) return
      failures++
      await wait(Math.max(retryAfter * SECOND || 0, Math.min(LONGEST, 2 ** failures * SECOND)))
    }
  }
}

async function watchOnce(sessionId: string, cards: Cards, ui: Ui, open: () => HTMLElement[]): Promise<void> {
  const line = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const alive = () => {
    clearTimeout(timer)
    timer = setTimeout(() => line.abort(failure('cut')), SILENCE)
    // A conversation that was ended, or whose last card is decided, has nothing to wait for.
    if (!open()[0]) line.abort()
  }
  try {
    alive()
    const body = { sessionId, watch: true, language: ui.language() }
    const response = await ui.post('/v1/chat/stream', body, {}, line.signal)
    // From here on the service tells what was decided, so what is not told still waits.
    for (const card of open()) card.hidden = false
    ui.grown()
    for await (const { data } of readEvents(response.body as ReadableStream<Uint8Array>, alive)) {
      const { type, actionId = '', status, text = '' } = JSON.parse(data) as News
      if (type === 'end') return
      const card = cards[actionId]
      if (type !== 'decision' || !card) continue
      settle(card, text, status === 'executed', ui)
      if (status !== 'indeterminate') decided.add(card)
      ui.say(text)
      ui.grown()
      if (!open()[0]) return
    }
  } finally {
    clearTimeout(timer)
    line.abort()
  }
}

/** Nothing is left to press, and nothing says any longer that it waits. A card that already says more is left as it is. */
function settle(card: HTMLElement, text: string, good: boolean, ui: Ui): void {
  const state = card.querySelector('.state')
  const { done, verified, unverified } = ui.words()
  if (!state || [done, verified, unverified].includes(`${state.textContent}`)) return
  state.textContent = text
  state.classList.toggle('good', good)
  card.querySelector('.choices')?.replaceChildren()
  for (const small of card.querySelectorAll('small')) small.remove()
}
