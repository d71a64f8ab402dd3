import type { Client } from '../../sdk/src/index.ts'
import type { Screen } from './screen.ts'
import type { Surroundings } from './surroundings.ts'

/** A program decides by these; docs/cli.md lists them. */
export const EXIT = { ok: 0, no: 1, usage: 2, refused: 3, unreachable: 4 } as const
export type Exit = (typeof EXIT)[keyof typeof EXIT]

export type Flags = Readonly<Record<string, string | boolean | undefined>>

export type Given = {
  readonly words: readonly string[]
  readonly flags: Flags
  readonly screen: Screen
  readonly surroundings: Surroundings
  /** The service with the key of this machine. It is looked for when a command first asks, so that help needs none. */
  readonly service: (timeoutSeconds?: number) => Client
  /** Where it is, and the key. */
  readonly login: () => Login
  /** Of a command that stays: it has been told to end, by Ctrl-C or because nobody reads what it writes any longer. */
  readonly stopping: AbortSignal
}

/** Where the service is, and with which key. */
export type Login = { readonly url: string; readonly key: string }

type Option = { readonly type: 'string' | 'boolean'; readonly does: string; readonly short?: string }

export type Command = {
  /** What follows the name, as help shows it. */
  readonly takes: string
  readonly does: string
  readonly options?: Readonly<Record<string, Option>>
  /** True if it runs until it is stopped, and ends in order. */
  readonly stays?: true
  readonly run: (given: Given) => Promise<Exit>
}

/** The command was not given as it must be. Its message says how. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export function oneWord({ words }: Pick<Given, 'words'>, what: string): string {
  const [word, more] = words
  if (word === undefined) throw new UsageError(`Name ${what}.`)
  if (more !== undefined) throw new UsageError(`Name only ${what}; “${more}” is one too many.`)
  return word
}

export function textFlag({ flags }: Pick<Given, 'flags'>, name: string): string | undefined {
  const value = Object.hasOwn(flags, name) ? flags[name] : undefined
  return typeof value === 'string' ? value : undefined
}
