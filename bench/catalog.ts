// How validating a catalog grows with it: the time per tool of 3,000 tools against that of 300 (and what the first one
// costs). And what exact numbers cost: our parser against JSON.parse, on the same text, without and with a long number.
import { validateCatalog } from '../server/src/features/catalog/index.ts'
import { parseJson } from '../server/src/foundation/json/index.ts'
import { judged, say } from './parts/report.ts'
import { median, ratioOf, rounded, takeTurns } from './parts/rounds.ts'

const sizes = [1, 300, 3_000] as const
const sliceMs = 150
const options = { rounds: 12, warmUpRounds: 4 }

/** A shop's catalog: two reads, then a write that is guarded and verified by one of them. */
function tool(index: number): object {
  const isWrite = index % 3 === 2
  const guard = { tool: `get_order_${index - 1}`, arguments: { order_id: { from: 'order_id' } } }
  return {
    name: `${isWrite ? 'cancel' : 'get'}_order_${index}`,
    description: 'Handles one order of the shop by its number, with its lines, addresses and state.',
    is_write: isWrite,
    parameters: {
      type: 'object',
      properties: {
        order_id: { type: 'string', pattern: '^[A-Z]{2}-\\d{1,9}$', description: 'The number on the receipt' },
        status: { type: 'string', enum: ['open', 'paid', 'shipped'] },
        lines: { type: 'array', items: { type: 'object', properties: { sku: { type: 'string' } }, required: ['sku'] } },
      },
      required: ['order_id'],
      additionalProperties: false,
    },
    examples: { order_id: ['AB-1'] },
    domain: 'orders',
    ...(isWrite
      ? { risk: 'elevated', precondition: { ...guard, check: { path: 'state', in: ['open', 'paid'] } } }
      : {}),
  }
}

const textOf = (tools: number): string => JSON.stringify(Array.from({ length: tools }, (_, index) => tool(index)))

/** Does `work` for one slice and says how often a second it was done, counting each as `units`. */
function rateOf(work: () => unknown, units: number): () => Promise<number> {
  return async () => {
    const start = performance.now()
    let done = 0
    do {
      work()
      done += units
    } while (performance.now() - start < sliceMs)
    return (done / (performance.now() - start)) * 1_000
  }
}

function validating(tools: number): () => Promise<number> {
  const catalog = parseJson(textOf(tools))
  return rateOf(() => {
    const checked = validateCatalog(catalog)
    if (!checked.ok) throw new Error(checked.error)
  }, tools)
}

const [one, some, many] = sizes
const rates = await takeTurns({ one: validating(one), some: validating(some), many: validating(many) }, options)
const microseconds = (perSecond: readonly number[]): number => rounded(1_000_000 / median(perSecond))

const text = textOf(some)
const long = text.replace('"AB-1"', '9007199254740993')
const parsing = await takeTurns(
  {
    plain: rateOf(() => JSON.parse(text), 1),
    exact: rateOf(() => parseJson(text), 1),
    exactLong: rateOf(() => parseJson(long), 1),
  },
  options,
)

say({
  bench: 'catalog',
  promise: 'Validating a catalog takes the same time per tool for 3,000 tools as for 300, within 1.3',
  results: [
    judged(
      'time per tool, 3,000 tools to 300',
      ratioOf(rates.some, rates.many),
      { atMost: 1.3 },
      {
        oneToolUs: microseconds(rates.one),
        perToolOf300Us: microseconds(rates.some),
        perToolOf3000Us: microseconds(rates.many),
      },
    ),
    { what: 'time of exact JSON to JSON.parse, no long number', ...ratioOf(parsing.plain, parsing.exact) },
    { what: 'time of exact JSON to JSON.parse, one long number', ...ratioOf(parsing.plain, parsing.exactLong) },
  ],
})
