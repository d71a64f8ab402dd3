// A tool's `parameters` as a JSON Schema: 2020-12, or draft 7 when it says so. Checked when the catalog is registered;
// a call's arguments are checked by walking it (no code is generated from it), within a budget of work.
import {
  atOnce,
  fitsSchema,
  isObject,
  type Json,
  type JsonObject,
  measureJson,
  member,
  type PrepareResult,
  type Problem,
  prepareInTurns,
  shown,
  stringifyJson,
  type Work,
} from '../../kernel/json/index.ts'
import { memoized } from '../../kernel/memo/index.ts'
import { deepestCatalog, mostSchemaCharacters } from './limits.ts'
import type { Tool } from './tool-spec.ts'

/** Checks `parameters`; the problems' paths begin inside it. */
export function* prepareParameters(parameters: Json | undefined): Work<PrepareResult> {
  if (parameters === undefined) return yield* prepareInTurns({ type: 'object' })
  if (!isObject(parameters)) return refused('', `must be a JSON Schema object, not ${shown(parameters)}`)
  const measured = measureJson(parameters, { maxDepth: deepestCatalog, maxSize: mostSchemaCharacters })
  if (!measured.ok)
    return refused('', `is larger than ${mostSchemaCharacters} characters or nested deeper than ${deepestCatalog}`)
  const type = member(parameters, 'type')
  if (type !== undefined && type !== 'object') return refused('type', 'must be "object": arguments always come by name')
  return yield* prepareInTurns(parameters)
}

const refused = (path: string, message: string): PrepareResult => ({ ok: false, problems: [{ path, message }] })

type ArgumentsChecked = { ok: true } | { ok: false; problems: Problem[]; message: string }

/** Checks a call's arguments against the tool's parameters. `message` tells the model what to change, by name. */
export function checkArguments(tool: Pick<Tool, 'parameters'>, given: Json): ArgumentsChecked {
  if (!isObject(given))
    return unfit([{ path: '', message: `must be an object with a member for each argument; you sent ${shown(given)}` }])
  const prepared = preparedParameters(tool.parameters)
  // Only validated tools get here; a schema that is refused now was accepted by older rules.
  if (!prepared.ok)
    return unfit([
      {
        path: '',
        message: 'cannot be checked, because the schema of this tool is no longer valid: register the catalog again',
      },
    ])
  const result = fitsSchema(prepared.prepared, given)
  return result.ok ? { ok: true } : unfit(result.problems)
}

function unfit(problems: Problem[]): ArgumentsChecked {
  return {
    ok: false,
    problems,
    message: problems
      .map(({ path, message }) => `${path === '' ? 'The arguments' : `\`${path}\``} ${message}.`)
      .join(' '),
  }
}

const preparedParameters = memoized((parameters: JsonObject) => atOnce(prepareParameters(parameters)))

/**
 * Whether the arguments of a call or an action are small enough to be sent and kept: at most `most` bytes as JSON in
 * UTF-8, as they are sent and stored. What is far too large is not written out to learn it, because a check may copy one
 * argument into many.
 */
export function argumentsFit(given: JsonObject, most: number): boolean {
  const measured = measureJson(given, { maxDepth: Number.POSITIVE_INFINITY, maxSize: most })
  return measured.ok && Buffer.byteLength(stringifyJson(given)) <= most
}

/** What follows a refusal of them. */
export const argumentsTooLarge = (most: number): string =>
  `The arguments are larger than ${most} bytes. Send less, or a reference to what you keep.`
