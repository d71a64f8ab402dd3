// The calls of a round, put together from their pieces. None leaves before the round has ended and it is known to be whole.
import { parseJson } from '../json/index.ts'
import { type FinishReason, type ModelCall, ModelFailure } from './port.ts'

export type CallPiece = {
  readonly index: number | undefined
  readonly id: string | undefined
  readonly name: string | undefined
  readonly arguments: string
}

export type CallsUnderWay = {
  readonly count: number
  take(piece: CallPiece): void
  /** In the order in which the model began them. */
  end(reason: FinishReason): ModelCall[]
}

type Begun = { index: number | undefined; id: string | undefined; name: string; arguments: string }

const MOST_CALLS = 128
const MOST_CHARACTERS = 1_048_576

/** `used`: the ids that already stand in the conversation; a call that comes without one, or with one of them, gets another. */
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
      const kept = reason === 'length' ? begun.filter(isWhole) : begun
      if (kept.some(({ name }) => name === '')) {
        throw new ModelFailure('broken', 'The model asked for a call without a name.')
      }
      return named(kept, used)
    },
  }
}

/** The call that a piece belongs to. Providers leave out the index, or the id, or say every index is 0. */
function continued(begun: readonly Begun[], { index, id, name }: CallPiece): Begun | undefined {
  const same =
    index === undefined
      ? (begun.findLast((call) => id !== undefined && call.id === id) ?? (id === undefined ? begun.at(-1) : undefined))
      : begun.findLast((call) => call.index === index)
  if (same === undefined) return undefined
  if (id !== undefined && same.id !== undefined && id !== same.id) return undefined
  const isAnother = id === undefined && name !== undefined && same.name !== '' && isWhole(same)
  return isAnother ? undefined : same
}

/** No part of the text of an object is itself the text of an object, so one that reads as an object is whole. */
function isWhole(call: Pick<Begun, 'arguments' | 'name'>): boolean {
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
    // Nine letters and digits: the one form that no provider turns down when it reads the id again.
    while (own === undefined || own === '' || taken.has(own)) own = `call${String(++last).padStart(5, '0')}`
    taken.add(own)
    return { id: own, name, arguments: text.trim() === '' ? '{}' : text }
  })
}
