// Checks a value against a prepared schema by walking both. It generates and compiles no code from a stranger's schema,
// and a budget pays for every step, so neither a schema that doubles its work at each level nor a huge value can hold
// up the process. When the budget is spent, it refuses the value.
import { BudgetSpent, spend } from '../budget.ts'
import type { Json, JsonObject } from '../json-value.ts'
import type { Frame, From, Keyword, Prepared, Problem, Run, Schema, Site, Step } from './model.ts'
import { problem } from './report.ts'
import { addSeen, nothingSeen } from './seen.ts'

/** Enough for some 30,000 checked values, or about 50 ms on an ordinary machine. */
const wholeBudget = 5_000_000
const deepest = 400

export type FitResult = { ok: true } | { ok: false; problems: Problem[] }

export function fitsSchema(prepared: Prepared, value: Json, units: number = wholeBudget): FitResult {
  const problems: Problem[] = []
  const run: Run = { prepared, budget: { left: units }, report: problems, depth: 0, fits }
  const resource = isSite(prepared.root, prepared)?.resource ?? {
    uri: '',
    root: prepared.root,
    anchors: new Map(),
    dynamicAnchors: new Map(),
  }
  try {
    const ok = fits(prepared.root, value, {
      place: undefined,
      scope: { resource, outer: undefined },
      seen: undefined,
      run,
    })
    return ok ? { ok } : { ok, problems }
  } catch (error) {
    if (!(error instanceof BudgetSpent)) throw error
    return {
      ok: false,
      problems: [
        { path: '', message: 'would take too long to check. Send less at once, with shorter texts and less nesting' },
      ],
    }
  }
}

const isSite = (schema: Schema, prepared: Prepared): Site | undefined =>
  typeof schema === 'boolean' ? undefined : prepared.sites.get(schema)

function fits(schema: Schema, value: Json, from: From): boolean {
  spend(from.run.budget, 32)
  if (schema === true) return true
  const site = isSite(schema, from.run.prepared)
  if (!site) return refuseValue(value, from)
  if (from.run.depth >= deepest) throw new BudgetSpent()
  from.run.depth++
  const fine = fitsSite(site, value, from)
  from.run.depth--
  return fine
}

/** The schema `false`. */
function refuseValue(value: Json, from: From): false {
  const site: Site = { schema: {}, resource: from.scope.resource, path: '' }
  return problem({ ...from, site, value }, () => 'is not allowed')
}

function fitsSite(site: Site, value: Json, from: From): boolean {
  const steps = site.steps ?? stepsOf(site.schema, from.run.prepared)
  site.steps = steps
  const collects = from.seen !== undefined || steps.some(({ keyword }) => keyword.last)
  const frame: Frame = {
    site,
    value,
    place: from.place,
    scope: site.resource === from.scope.resource ? from.scope : { resource: site.resource, outer: from.scope },
    seen: collects ? nothingSeen() : undefined,
    run: from.run,
  }
  const fine = holdAll(steps, frame)
  if (fine && from.seen && frame.seen) {
    spend(from.run.budget, (frame.seen.names.size + frame.seen.items.size) * 32)
    addSeen(from.seen, frame.seen)
  }
  return fine
}

function holdAll(steps: Step[], frame: Frame): boolean {
  let fine = true
  for (const { keyword, given, weight } of steps) {
    // Whatever a failed keyword saw does not count as seen, so the last keywords would only add false alarms.
    if (keyword.last && !fine) return false
    spend(frame.run.budget, 8 + weight)
    if (keyword.holds?.(given, frame) ?? true) continue
    fine = false
    if (!frame.run.report || keyword.first) return false
  }
  return fine
}

const entriesIn = (given: Json): number => (typeof given === 'object' && given !== null ? Object.keys(given).length : 0)

function stepsOf(schema: JsonObject, { dialect }: Prepared): Step[] {
  const alone = dialect.refStandsAlone && typeof schema.$ref === 'string'
  const steps = Object.entries(schema).flatMap(([name, given]) => {
    const keyword: Keyword | undefined = dialect.keywords.get(name)
    return keyword?.holds && (!alone || name === '$ref') ? [{ keyword, given, weight: entriesIn(given) }] : []
  })
  const rank = ({ keyword }: Step): number => (keyword.first ? 0 : keyword.last ? 2 : 1)
  return steps.sort((a, b) => rank(a) - rank(b))
}
