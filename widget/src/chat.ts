// The conversation: sending, receiving, failures, and what the tab remembers of it.
import { type AnswerView, openAnswer } from './answer.ts'
import { type Failure, failure, wordsFor } from './failure.ts'
import { button, h } from './h.ts'
import type { Confirm } from './proposal.ts'
import { follow, type Turn } from './turn.ts'
import type { Ui } from './ui.ts'
import type { Answer, Frame } from './wire.ts'

/** Kept in this tab from the first message on. It never contains a token. */
type Memory = {
  /** The customer whose conversation it is; none for a guest. */
  who?: Who
  sessionId?: string | undefined
  open?: boolean
  exchanges: { readonly question: string; answer?: Answer }[]
  /** The turn that was still running. */
  running?: Turn | undefined
}

/** Null for a guest, and undefined if the page has not said yet. */
export type Who = string | null | undefined

type Running = { readonly turn: Turn; readonly view: AnswerView; readonly control: AbortController; stopped?: boolean }

const MOST_TURNS = 30

export type ChatParts = {
  readonly ui: Ui
  /** The key under which the tab stores the conversation. */
  readonly name: string
  readonly list: HTMLElement
  readonly confirm: Confirm
  /** Who is signed in now. */
  readonly who: () => Promise<Who>
  readonly changed: (busy: boolean) => void
}

export class Chat {
  readonly #ui: Ui
  readonly #parts: ChatParts
  readonly #list: HTMLElement
  readonly #memory: Memory
  readonly #restored: Promise<unknown>
  #running: Running | undefined
  #drawn = false
  /** Who the last request was for. */
  who: Who

  constructor(parts: ChatParts) {
    this.#parts = parts
    this.#ui = parts.ui
    this.#list = parts.list
    this.#memory = { exchanges: [], ...recall(parts.name) }
    this.#restored = this.check()
  }

  /** Shows the conversation only to whoever had it, and forgets it as soon as the page says that somebody else is there. */
  async check(): Promise<void> {
    const memory = this.#memory
    const { exchanges } = memory
    // A turn that runs was asked by whoever was there a moment ago.
    if (!exchanges[0] || this.#running) return
    const who = await this.#parts.who().catch(() => undefined)
    if ((memory.who ?? null) === (who ?? null)) {
      if (!this.#drawn) this.#draw(exchanges)
      // A question that was asked meanwhile was asked by whoever is there now; the service knows whose conversation it is.
    } else if (!this.#running && (this.#drawn || who !== undefined)) this.restart()
  }

  #draw(exchanges: Memory['exchanges']): void {
    this.#drawn = true
    for (const { question, answer } of exchanges) {
      this.#addQuestion(question)
      if (answer) this.#newAnswer().complete(answer, true)
    }
    this.#parts.changed(!!this.#running)
  }

  async ask(prompt: string): Promise<void> {
    await this.#restored
    if (this.#running) return
    this.#drawn = true
    this.#addQuestion(prompt)
    this.#memory.exchanges.push({ question: prompt })
    void this.#run({ prompt }, this.#newAnswer())
  }

  stop(): void {
    const running = this.#running
    if (!running) return
    running.stopped = true
    // A turn without an id is stopped as soon as it gets one.
    if (running.turn.requestId) this.#hangUp(running)
    const { stopped } = this.#ui.words()
    running.view.end(stopped)
    this.#ui.say(stopped)
    this.#settle()
  }

  restart(): void {
    this.stop()
    Object.assign(this.#memory, { sessionId: undefined, who: undefined, exchanges: [] })
    this.#list.replaceChildren()
    this.#ui.say('')
    this.#settle()
  }

  opened(open: boolean): void {
    this.#memory.open = open
    this.#keep()
  }

  /** Continues to read the running turn after a move or on another page. */
  async resume(): Promise<void> {
    await this.#restored
    const { running } = this.#memory
    if (!this.#running && running && this.#drawn) void this.#run({ ...running }, this.#newAnswer())
  }

  /** Disconnects without stopping the turn. A half-drawn answer will come again. */
  leave(): void {
    this.#running?.control.abort()
    this.#running?.view.element.parentElement?.remove()
    this.#running = undefined
  }

  /** Stores nothing before the first message. */
  #keep(): void {
    const { name } = this.#parts
    const memory = this.#memory
    memory.exchanges = memory.exchanges.slice(-MOST_TURNS)
    try {
      if (memory.exchanges[0]) sessionStorage.setItem(name, JSON.stringify(memory, withoutTokens))
      else sessionStorage.removeItem(name)
    } catch {
      // A page without storage (a sandboxed frame, a full disk) works all the same, and forgets when the visitor leaves.
    }
  }

  #addQuestion(text: string): void {
    // The visitor can no longer pick an earlier reply.
    for (const old of this.#list.querySelectorAll('.replies')) old.remove()
    const question = h('div', { class: 'question', part: 'question' }, text)
    this.#list.append(h('li', {}, h('span', { class: 'unseen' }, this.#ui.words().you), question))
  }

  #newAnswer(): AnswerView {
    const view = openAnswer(this.#ui, this.#parts.confirm)
    this.#list.append(h('li', {}, view.element))
    return view
  }

  async #run(turn: Turn, view: AnswerView): Promise<void> {
    const mine: Running = { turn, view, control: new AbortController() }
    const { signal } = mine.control
    const { words, language, say, grown, post } = this.#ui
    this.#running = mine
    this.#keep()
    this.#parts.changed(true)
    view.wait(words().thinking)
    say(words().thinking)
    grown(true)
    const { sessionId } = this.#memory
    const body = { prompt: turn.prompt, sessionId, language: language(), resume: true }
    try {
      await follow(post, turn, body, (frame) => this.#take(mine, frame), signal)
    } catch (error) {
      if (!signal.aborted && !mine.stopped) this.#failed(mine, error as Failure)
    }
    if (this.#running === mine) this.#settle()
  }

  #settle(): void {
    this.#running = undefined
    this.#memory.running = undefined
    this.#keep()
    this.#parts.changed(false)
  }

  #take(mine: Running, frame?: Frame): void {
    const { turn, view, stopped } = mine
    const memory = this.#memory
    if (!frame) {
      view.wait(this.#ui.words().reconnecting)
      return
    }
    if (frame.type === 'start') {
      memory.who = this.who
      memory.sessionId = frame.sessionId ?? undefined
      if (stopped) this.#hangUp(mine)
      else memory.running = { prompt: turn.prompt, requestId: frame.requestId }
      this.#keep()
    }
    if (stopped) return
    if (frame.type === 'error') throw failure(frame.code, 400, frame.retryAfterSeconds)
    if (frame.type === 'complete') {
      Object.assign(memory.exchanges.at(-1) ?? {}, { answer: frame })
      view.complete(frame)
    } else view.frame(frame)
  }

  #failed({ turn, view }: Running, error: Failure): void {
    if (error.message === 'session_not_yours' && this.#memory.sessionId) {
      // Another person has signed in, or the visitor has signed out, and must not see the earlier conversation.
      this.#running = undefined
      this.restart()
      void this.ask(turn.prompt)
      return
    }
    this.#memory.who ??= this.who
    // A turn whose connection was lost can still be read. Anything else is asked again.
    if (error.status) turn.requestId = undefined
    const again = () => {
      if (this.#running) return
      const fresh = openAnswer(this.#ui, this.#parts.confirm)
      view.element.replaceWith(fresh.element)
      void this.#run({ ...turn, lastId: undefined }, fresh)
    }
    const words = this.#ui.words()
    view.end(wordsFor(error, words), button(again, { class: 'chip' }, words.retry))
  }

  #hangUp({ turn: { requestId }, control }: Running): void {
    control.abort()
    this.#ui.post('/v1/chat/stream', { requestId, stop: true }).catch(() => {})
  }
}

export function recall(name: string): Partial<Memory> {
  try {
    return JSON.parse(sessionStorage.getItem(name) ?? '{}') as Partial<Memory>
  } catch {
    return {}
  }
}

/** A proposal's token confirms something in production, and lives only as long as the page. */
const withoutTokens = (name: string, value: unknown): unknown => (name === 'confirmationToken' ? undefined : value)
