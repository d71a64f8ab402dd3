import { itemsOfLinkedData, itemsOfPlainData, withSource } from '../webpages/index.ts'
import { textOf } from './asking.ts'
import { keep, type Visit } from './visit.ts'

/** Asks each endpoint once, without anything that says who asks. */
export async function readDataEndpoints(visit: Visit): Promise<void> {
  const { asking, endpoints, request, home } = visit
  for (const endpoint of [...endpoints].slice(0, request.limits.dataEndpoints)) {
    if (asking.isOver()) return
    const answer = await asking.get(new URL(endpoint), { accept: 'application/json' })
    // A cut answer is no JSON.
    if (answer.kind !== 'answer' || answer.status !== 200 || answer.isCut) continue
    const value = /html/i.test(answer.type) ? undefined : withSource(textOf(answer))
    if (typeof value !== 'object' || value === null) continue
    const linked = itemsOfLinkedData(value, home.href, 'json-ld')
    keep(visit, linked.length > 0 ? linked : itemsOfPlainData(value, home.href, 'public-json'))
  }
}
