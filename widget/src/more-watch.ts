// What becomes of a proposal and what people write, while the window is open and after a reload.
import { type Failure, failure } from './failure.ts'
import { type Message, openMessages } from './more-people.ts'
import { readEvents } from './sse.ts'
import type { Cards, Ui } from './ui.ts'

type News = Message & {
  readonly type: string
  readonly actionId?: string
  readonly status?: string
}

/** A turn of a conversation, and where it stands in the page. */
type Seen = {
  readonly sessionId: string
  readonly requestId: string
  readonly item: HTMLElement
  readonly cards: Cards
  readonly ui: Ui
}

type Watched = Pick<Seen, 'sessionId' | 'cards' | 'ui'> & { readonly turns: Map<string, HTMLElement> }

const SECOND = 1000
const LONGEST = 60 * SECOND
// The service sends something every 15 s, if only a comment.
const SILENCE = 40 * SECOND

const watched = new Map<string, Watched>()
const decided = new WeakSet<Element>()

const wait = (ms: number): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, ms))

/** Watches a conversation for as long as one of its turns is in the page. */
export function watch({ sessionId, requestId, item, cards, ui }: Seen): void {
  const known = watched.get(sessionId)
  const conversation = known ?? { sessionId, cards, ui, turns: new Map() }
  conversation.turns.set(requestId, item)
  if (known) return
  watched.set(sessionId, conversation)
  void follow(conversation).finally(() => watched.delete(sessionId))
}

const shown = ({ turns }: Watched): HTMLElement[] => [...turns.values()].filter((item) => item.isConnected)

/** Nobody looks at a window that is closed, or at a page in the background. */
const seen = (conversation: Watched): boolean =>
  !document.hidden && shown(conversation).some(({ parentElement }) => parentElement?.checkVisibility())

async function follow(conversation: Watched): Promise<void> {
  for (let failures = 0; shown(conversation)[0]; ) {
    if (!seen(conversation)) {
      await wait(SECOND)
      continue
    }
    try {
      await watchOnce(conversation)
      failures = 0
      await wait(SECOND)
    } catch (error) {
      const { status, message, retryAfter } = error as Failure
      if (message === 'session_not_yours') await conversation.ui.check()
      if (status && status < 500 && status !== 429) return
      failures++
      await wait(Math.max(retryAfter * SECOND || 0, Math.min(LONGEST, 2 ** failures * SECOND)))
    }
  }
}

async function watchOnce(conversation: Watched): Promise<void> {
  const { sessionId, cards, ui } = conversation
  const line = new AbortController()
  const messages = openMessages(conversation.turns, ui)
  let timer: ReturnType<typeof setTimeout> | undefined
  const alive = () => {
    clearTimeout(timer)
    timer = setTimeout(() => line.abort(failure('cut')), SILENCE)
    // A browser opens six connections to a service and no more, so only what somebody looks at keeps one.
    if (!seen(conversation)) line.abort()
  }
  document.addEventListener('visibilitychange', alive, { signal: line.signal })
  try {
    alive()
    const response = await ui.post(
      '/v1/chat/stream',
      { sessionId, watch: true, language: ui.language() },
      {},
      line.signal,
    )
    // From here on the service tells what was decided, so what is not told still waits.
    for (const card of cards.values()) if (!decided.has(card)) card.hidden = false
    ui.grown()
    for await (const { data } of readEvents(response.body as ReadableStream<Uint8Array>, alive)) {
      const news = JSON.parse(data) as News
      const { type, actionId = '', status, text } = news
      if (type === 'end' || !shown(conversation)[0]) return
      const card = cards.get(actionId)
      if (type === 'message') messages.add(news)
      if (type !== 'decision' || !card) continue
      if (status !== 'indeterminate') decided.add(card)
      // Each watch tells everything from the start, and nobody wants to hear it again.
      if (!settle(card, text, status === 'executed', ui)) continue
      ui.say(text)
      ui.grown()
    }
  } finally {
    clearTimeout(timer)
    line.abort()
  }
}

/**
 * Nothing is left to press, and nothing says any longer that it waits. A card that already says as much or more is left as it is.
 * True if it changed.
 */
function settle(card: HTMLElement, text: string, good: boolean, ui: Ui): boolean {
  const state = card.querySelector('.state')
  const { done, verified, unverified } = ui.words()
  if (!state || [text, done, verified, unverified].includes(`${state.textContent}`)) return false
  state.textContent = text
  state.classList.toggle('good', good)
  card.querySelector('.choices')?.replaceChildren()
  for (const small of card.querySelectorAll('small')) small.remove()
  return true
}
