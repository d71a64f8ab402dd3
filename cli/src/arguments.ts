// The arguments of a tool: `number=A-1001` is text, `amount:=5` is JSON, and `-` reads all of them from stdin.
import { readText } from './catalog-file.ts'
import { type Given, UsageError } from './command.ts'
import { ExactNumber } from './exact-json.ts'
import { parseExact } from './places.ts'

export function toolAndArguments({ words }: Pick<Given, 'words'>): { tool: string; given: Record<string, unknown> } {
  const [tool, ...rest] = words
  if (tool === undefined) throw new UsageError('Name a tool, and then its arguments, such as `number=A-1001`.')
  if (rest.length === 1 && rest[0] === '-') return { tool, given: wholeObject(readText('-'), 'stdin') }
  return { tool, given: Object.fromEntries(rest.map(argument)) }
}

function argument(word: string): [string, unknown] {
  const [, name, sign, value] = /^([^:=]+)(:?=)([\s\S]*)$/.exec(word) ?? []
  if (name === undefined || value === undefined)
    throw new UsageError(
      `“${word}” is not an argument. Write name=text, or name:=JSON for a number, a list or an object.`,
    )
  if (sign === '=') return [name, value]
  try {
    return [name, parseExact(value)]
  } catch {
    throw new UsageError(`What follows “${name}:=” is not JSON. Write ${name}=… for text.`)
  }
}

function wholeObject(text: string, where: string): Record<string, unknown> {
  try {
    const value = parseExact(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber))
      return { ...value }
  } catch {}
  throw new UsageError(`There is no JSON object on ${where}. Send the arguments as {"name": value}.`)
}
