// The conversation: what is sent, what comes back, what happens when neither works, and what is kept of it.
import { type AnswerView, openAnswer } from './answer.ts'
import { Failure, wordsFor } from './failure.ts'
import { button, h } from './h.ts'
import type { Confirm } from './proposal.ts'
import { follow, type Turn } from './service.ts'
import type { Ui } from './ui.ts'
import type { Answer, Frame } from './wire.ts'

/** Kept in this tab, from the first message on; no token of any kind is in it. */
type Memory = {
  sessionId?: string | undefined
  open?: boolean
  told: { readonly question: string; answer?: Answer }[]
  /** A turn that was still running. */
  running?: Turn | undefined
}

type Running = { readonly turn: Turn; readonly view: AnswerView; readonly control: AbortController; stopped?: boolean }

const MOST_TURNS = 30

export type Chat = ReturnType<typeof openChat>

export function openChat(ui: Ui, name: string, list: HTMLElement, confirm: Confirm, changed: (busy: boolean) => void) {
  const memory: Memory = { told: [], ...recall(name) }
  let running: Running | undefined

  /** Before the first message nothing is written down. */
  const keep = () => {
    memory.told = memory.told.slice(-MOST_TURNS)
    try {
      if (memory.told[0]) sessionStorage.setItem(name, JSON.stringify(memory, withoutTokens))
      else sessionStorage.removeItem(name)
    } catch {
      // A page without storage (a sandboxed frame, a full disk) talks all the same; it forgets when it is left.
    }
  }
  const addQuestion = (text: string) => {
    // A choice that was not taken is over.
    for (const old of list.querySelectorAll('.replies')) old.remove()
    const question = h('div', { class: 'question', part: 'question' }, text)
    list.append(h('li', {}, h('span', { class: 'unseen' }, ui.words().you), question))
  }
  const newAnswer = () => {
    const view = openAnswer(ui, confirm)
    list.append(h('li', {}, view.element))
    return view
  }

  function ask(prompt: string): void {
    if (running) return
    addQuestion(prompt)
    memory.told.push({ question: prompt })
    void run({ prompt }, newAnswer())
  }

  async function run(turn: Turn, view: AnswerView): Promise<void> {
    const mine: Running = { turn, view, control: new AbortController() }
    const { signal } = mine.control
    const { words, language, say, grown, post } = ui
    running = mine
    keep()
    changed(true)
    view.wait(words().thinking)
    say(words().thinking)
    grown(true)
    const { sessionId } = memory
    const body = { prompt: turn.prompt, sessionId, language: language(), resume: true }
    try {
      await follow(post, turn, body, (frame) => take(mine, frame), signal)
    } catch (error) {
      if (!signal.aborted) failed(mine, error as Failure)
    }
    if (running === mine) settle()
  }

  function settle(): void {
    running = undefined
    memory.running = undefined
    keep()
    changed(false)
  }

  function take(mine: Running, frame?: Frame): void {
    const { turn, view, stopped } = mine
    if (!frame) {
      view.wait(ui.words().reconnecting)
      return
    }
    if (frame.type === 'start') {
      memory.sessionId = frame.sessionId
      if (stopped) hangUp(mine)
      else memory.running = { prompt: turn.prompt, requestId: frame.requestId }
      keep()
    }
    if (stopped) return
    if (frame.type === 'error') throw new Failure(frame.code, 400, frame.retryAfterSeconds)
    if (frame.type === 'complete') {
      Object.assign(memory.told.at(-1) ?? {}, { answer: frame })
      view.complete(frame)
    } else view.frame(frame)
  }

  function failed({ turn, view }: Running, error: Failure): void {
    if (error.message === 'session_not_yours' && memory.sessionId) {
      // Another person has signed in, or nobody any more: what was said before is not theirs to see.
      running = undefined
      restart()
      ask(turn.prompt)
      return
    }
    // What was cut off may still be heard; anything else is asked anew.
    if (error.status) turn.requestId = undefined
    const again = () => {
      if (running) return
      const fresh = openAnswer(ui, confirm)
      view.element.replaceWith(fresh.element)
      void run({ ...turn, lastId: undefined }, fresh)
    }
    view.end(wordsFor(error, ui.words()), button(again, { class: 'chip' }, ui.words().retry))
  }

  const hangUp = ({ turn: { requestId }, control }: Running) => {
    control.abort()
    ui.post('/v1/chat/stream', { requestId, stop: true }).catch(() => {})
  }

  function stop(): void {
    if (!running) return
    running.stopped = true
    // A turn that has no name yet is stopped as soon as it has one.
    if (running.turn.requestId) hangUp(running)
    running.view.end(ui.words().stopped)
    ui.say(ui.words().stopped)
    settle()
  }

  function restart(): void {
    stop()
    Object.assign(memory, { sessionId: undefined, told: [] })
    list.replaceChildren()
    keep()
    changed(false)
  }

  for (const { question, answer } of memory.told) {
    addQuestion(question)
    if (answer) newAnswer().complete(answer)
  }
  return {
    ask,
    stop,
    restart,
    opened(open: boolean) {
      memory.open = open
      keep()
    },
    /** Hears on, after a move or on another page, what was running. */
    resume() {
      if (!running && memory.running) void run({ ...memory.running }, newAnswer())
    },
    /** Hangs up without stopping the turn; what was half drawn will be told again. */
    leave() {
      running?.control.abort()
      running?.view.element.parentElement?.remove()
      running = undefined
    },
  }
}

export function recall(name: string): Partial<Memory> {
  try {
    return JSON.parse(sessionStorage.getItem(name) ?? '{}') as Partial<Memory>
  } catch {
    return {}
  }
}

/** A token confirms something in production: it lives as long as the page. */
const withoutTokens = (name: string, value: unknown): unknown => (name === 'confirmationToken' ? undefined : value)
