// Reads server-sent events as far as model providers use them: the data of each event. Lines may end in LF, CR LF or CR
// and arrive in pieces of any size. The size of one event is bounded.
import { ModelFailure } from '../port.ts'

type EventReader = {
  /** Returns the events that this piece completes. */
  take(text: string): string[]
  /**
   * Returns the event that was open when the answer ended in order, because some providers omit the last empty line.
   */
  end(): string[]
}

const LF = 10
const CR = 13

export function openEventReader(mostCharacters: number): EventReader {
  let line = ''
  let data: string | undefined
  let afterReturn = false

  function bounded(text: string): string {
    if (text.length <= mostCharacters) return text
    throw new ModelFailure('broken', `The model sent an event of more than ${mostCharacters} characters.`)
  }

  function endLine(whole: string, events: string[]): void {
    if (whole === '') {
      if (data !== undefined) events.push(data)
      data = undefined
    } else if (whole.startsWith('data:')) {
      const value = whole.charCodeAt(5) === 32 ? whole.slice(6) : whole.slice(5)
      data = data === undefined ? value : bounded(`${data}\n${value}`)
    } else if (whole === 'data') {
      data = data === undefined ? '' : bounded(`${data}\n`)
    }
    // We ignore comments, ids, names and retry times.
  }

  return {
    take(text) {
      if (text === '') return []
      const events: string[] = []
      const mayReturn = text.includes('\r')
      let from = afterReturn && text.charCodeAt(0) === LF ? 1 : 0
      afterReturn = false
      for (let end = endOfLine(text, from, mayReturn); end !== -1; end = endOfLine(text, from, mayReturn)) {
        endLine(bounded(line + text.slice(from, end)), events)
        line = ''
        from = end + 1
        if (text.charCodeAt(end) !== CR) continue
        if (from === text.length) afterReturn = true
        else if (text.charCodeAt(from) === LF) from += 1
      }
      line = bounded(line + text.slice(from))
      return events
    },
    end() {
      const events: string[] = []
      if (line !== '') endLine(line, events)
      endLine('', events)
      line = ''
      return events
    },
  }
}

function endOfLine(text: string, from: number, mayReturn: boolean): number {
  if (!mayReturn) return text.indexOf('\n', from)
  const length = text.slice(from).search(/[\r\n]/)
  return length === -1 ? -1 : from + length
}
