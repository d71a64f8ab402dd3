// What the service itself has said: its ids and names make later requests reach further than invented ones.
import type { Random } from './random.ts'

export type Harvest = {
  /** Takes in every short scalar of an answer, by the name of its member. */
  gather(body: unknown): void
  /** Something that was seen under this name, or nothing. */
  pick(name: string, random: Random): string | number | undefined
}

const mostPerName = 40

export function openHarvest(): Harvest {
  const seen = new Map<string, (string | number)[]>()
  const keep = (name: string, value: string | number) => {
    const values = seen.get(name) ?? []
    seen.set(name, values)
    values.push(value)
    if (values.length > mostPerName) values.shift()
  }
  const gather = (body: unknown): void => {
    if (typeof body !== 'object' || body === null) return
    if (Array.isArray(body)) {
      for (const item of body) gather(item)
      return
    }
    for (const [name, value] of Object.entries(body)) {
      if (typeof value === 'number' || (typeof value === 'string' && value.length <= 200)) keep(name, value)
      else gather(value)
    }
  }
  return {
    gather,
    pick(name, random) {
      const values = seen.get(name)
      const draw = random.next()
      return values?.[Math.floor(draw * values.length)]
    },
  }
}

/** The names under which answers may speak of a path parameter: `/v1/tenants/{id}` is what they call `tenantId`. */
export function namesFor(parameter: string, path: string): string[] {
  const before = path.split('/').at(path.split('/').indexOf(`{${parameter}}`) - 1) ?? ''
  const singular = before.replace(/s$/, '')
  return [parameter, `${singular}Id`, `${parameter.replace(/Id$/, '')}Id`]
}
