// A model inside the process that plays what a test wrote down for it, round by round, and remembers what it was asked.
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'
import type { Model, ModelPart, ModelRequest } from '../src/kernel/model/index.ts'

/** One thing that happens in a round. A finish is made up where none is written. */
export type Step =
  | ModelPart
  | string
  | { readonly call: string; readonly with?: unknown; readonly id?: string }
  /** The model fails here. */
  | { readonly fail: unknown }
  | { readonly waitMs: number }
  | { readonly gate: Promise<unknown> }
  /** Nothing more comes until the round is stopped. */
  | 'hang'

export type Round = readonly Step[] | ((request: ModelRequest) => readonly Step[])

export type PlayedModel = Model & {
  readonly requests: readonly ModelRequest[]
  /** How many rounds were stopped by their caller. */
  readonly stopped: number
  /** Rounds that are being played now. */
  readonly playing: number
  play(...rounds: readonly Round[]): void
}

/** The rounds are played one each; the last one stays. */
export function playedModel(...first: readonly Round[]): PlayedModel {
  const requests: ModelRequest[] = []
  let left = [...first]
  let stopped = 0
  let playing = 0
  let made = 0
  return {
    kind: 'played',
    requests,
    get stopped() {
      return stopped
    },
    get playing() {
      return playing
    },
    play(...rounds) {
      left = [...rounds]
    },
    async *stream(request, signal) {
      requests.push(request)
      const next = left.length > 1 ? left.shift() : left[0]
      const steps = (typeof next === 'function' ? next(request) : next) ?? ['The script is over.']
      const noteStop = () => {
        stopped++
      }
      signal.addEventListener('abort', noteStop, { once: true })
      playing++
      try {
        let finished = false
        let called = false
        for (const step of steps) {
          await turn()
          signal.throwIfAborted()
          if (step === 'hang') await aborted(signal)
          else if (typeof step === 'string') yield { type: 'text', text: step }
          else if ('fail' in step) throw step.fail
          else if ('waitMs' in step) await pause(step.waitMs)
          else if ('gate' in step) await step.gate
          else if ('type' in step) {
            finished ||= step.type === 'finish'
            called ||= step.type === 'call'
            yield step
          } else {
            called = true
            const text = typeof step.with === 'string' ? step.with : JSON.stringify(step.with ?? {})
            yield { type: 'call', call: { id: step.id ?? `call_${++made}`, name: step.call, arguments: text } }
          }
        }
        if (!finished) yield { type: 'finish', reason: called ? 'calls' : 'stop' }
      } finally {
        playing--
        signal.removeEventListener('abort', noteStop)
      }
    },
  }
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
  })
