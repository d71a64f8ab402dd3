// Assembles the calls of a round from their pieces. A call leaves only when the round has ended and the call is
// complete.
import { parseJson } from '../json/index.ts'
import { type FinishReason, type ModelCall, ModelFailure } from './port.ts'

export type CallPiece = {
  readonly index: number | undefined
  readonly id: string | undefined
  readonly name: string | undefined
  readonly arguments: string
}

type CallsUnderWay = {
  readonly count: number
  take(piece: CallPiece): void
  /** Returns the calls in the order in which the model began them. */
  end(reason: FinishReason): ModelCall[]
}

type Begun = { index: number | undefined; id: string | undefined; name: string; arguments: string }

const MOST_CALLS = 128
const MOST_CHARACTERS = 1_048_576

/** `used` holds the ids in the conversation so far. A call without an id, or with one of those, gets a new one. */
export function gatherCalls(used: ReadonlySet<string>): CallsUnderWay {
  const begun: Begun[] = []
  let characters = 0

  function begin({ index, id }: CallPiece): Begun {
    if (begun.length === MOST_CALLS) {
      throw new ModelFailure('broken', `The model asked for more than ${MOST_CALLS} calls at once.`)
    }
    const call: Begun = { index, id, name: '', arguments: '' }
    begun.push(call)
    return call
  }

  return {
    get count() {
      return begun.length
    },
    take(piece) {
      characters += piece.arguments.length
      if (characters > MOST_CHARACTERS) {
        throw new ModelFailure('broken', `The model's calls have more than ${MOST_CHARACTERS} characters of arguments.`)
      }
      const call = continued(begun, piece) ?? begin(piece)
      if (call.name === '') call.name = piece.name ?? ''
      call.id ??= piece.id
      call.arguments += piece.arguments
    },
    end(reason) {
      if (reason === 'filtered') return []
      const kept = reason === 'length' ? begun.filter(isComplete) : begun
      if (kept.some(({ name }) => name === '')) {
        throw new ModelFailure('broken', 'The model asked for a call without a name.')
      }
      return named(kept, used)
    },
  }
}

/** Finds the call that a piece belongs to. Some providers omit the index or the id, or always send index 0. */
function continued(begun: readonly Begun[], { index, id, name }: CallPiece): Begun | undefined {
  const same =
    index === undefined
      ? (begun.findLast((call) => id !== undefined && call.id === id) ?? (id === undefined ? begun.at(-1) : undefined))
      : begun.findLast((call) => call.index === index)
  if (same === undefined) return undefined
  if (id !== undefined && same.id !== undefined && id !== same.id) return undefined
  const isAnother = id === undefined && name !== undefined && same.name !== '' && isComplete(same)
  return isAnother ? undefined : same
}

/** No prefix of an object's JSON text is an object's JSON text, so arguments that parse as an object are complete. */
function isComplete(call: Pick<Begun, 'arguments' | 'name'>): boolean {
  if (!call.arguments.trimEnd().endsWith('}')) return false
  return readsAsObject(call.arguments)
}

export function readsAsObject(text: string): boolean {
  try {
    const value = parseJson(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

function named(calls: readonly Begun[], used: ReadonlySet<string>): ModelCall[] {
  const taken = new Set(used)
  let last = used.size
  return calls.map(({ id, name, arguments: text }) => {
    let own = id
    // Nine letters and digits are the only form of id that every provider accepts when it reads it again.
    while (own === undefined || own === '' || taken.has(own)) own = `call${String(++last).padStart(5, '0')}`
    taken.add(own)
    return { id: own, name, arguments: text.trim() === '' ? '{}' : text }
  })
}
