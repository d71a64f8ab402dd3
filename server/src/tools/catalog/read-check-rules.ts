// The rules of precondition and verify that need the whole catalog: the read must exist, be a read, and get every
// argument that it requires from arguments that the write has.
import { member } from '../../kernel/json/index.ts'
import type { Entry } from './entry.ts'
import { addProblem, type Problems } from './problems.ts'
import { argumentsReadBy, type Fault, parseReadCheck, type ReadCheck } from './read-check.ts'

const fix = 'See "Precondition and verify" in the reference: {"tool": "<read>", "arguments": {...}, "check": {...}}.'

export function checkReadChecks(entry: Entry, catalog: ReadonlyMap<string, Entry>, problems: Problems): void {
  for (const noun of ['precondition', 'verify'] as const) {
    const value = member(entry.raw, noun)
    if (value === undefined) continue
    if (!entry.mayBeWrite) {
      const rule = {
        member: noun,
        says: `declared a ${noun} but not declared a write`,
        fix: `Remove ${noun}, or declare is_write true.`,
      }
      addProblem(problems, rule, entry.label)
    }
    const parsed = parseReadCheck(value)
    const faults = parsed.ok ? faultsInCatalog(parsed.readCheck, entry, catalog) : parsed.faults
    for (const { says, detail } of faults)
      addProblem(problems, { member: noun, says: `have a ${noun} ${says}`, fix }, entry.label, detail)
  }
}

function faultsInCatalog(readCheck: ReadCheck, entry: Entry, catalog: ReadonlyMap<string, Entry>): Fault[] {
  const read = catalog.get(readCheck.tool)
  const faults = unknownSources(readCheck, entry)
  if (!read) return [{ says: 'that names a tool which is not in the catalog', detail: readCheck.tool }, ...faults]
  if (read.raw.is_write === true)
    return [{ says: 'that names a write, where only a read may be called', detail: readCheck.tool }, ...faults]
  return [...faults, ...wrongTargets(readCheck, read)]
}

function unknownSources(readCheck: ReadCheck, { arguments: own }: Entry): Fault[] {
  if (!own) return []
  const missing = argumentsReadBy(readCheck).filter((name) => !own.names.has(name))
  return missing.map((name) => ({ says: 'that maps from an argument which the write does not have', detail: name }))
}

function wrongTargets(readCheck: ReadCheck, { label, arguments: target }: Entry): Fault[] {
  if (!target) return []
  const lacking = Object.keys(readCheck.arguments).filter((name) => !target.names.has(name))
  // Only the first few: many writes may name one read with thousands of arguments.
  const unmapped = target.required
    .values()
    .filter((name) => !Object.hasOwn(readCheck.arguments, name))
    .take(5)
  return [
    ...lacking.map((name) => ({
      says: 'that maps an argument which its read does not have',
      detail: `${name} of ${label}`,
    })),
    ...unmapped.map((name) => ({
      says: 'that leaves a required argument of its read unmapped',
      detail: `${name} of ${label}`,
    })),
  ]
}
