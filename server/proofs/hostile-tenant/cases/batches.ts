// Few bytes that ask for much, many times in one request.
import { type HostileCase, json, members, repeated, times } from '../case.ts'
import { ordinaryTool } from '../ordinary.ts'

const message = (id: number, method: string, params: object = {}) => ({ jsonrpc: '2.0', id, method, params })

export const batchCases: readonly HostileCase[] = [
  {
    name: 'batches that list a large catalog fifty times, four at once',
    async prepare(stage) {
      const properties = members(10, 'p', () => ({ type: 'string', description: repeated('x', 1_500) }))
      const catalog = times(80, (at) => ({
        ...ordinaryTool(at),
        is_write: false,
        parameters: { type: 'object', properties },
      }))
      const { apiKey: key } = await stage.workspace(catalog)
      const shot = { key, method: 'POST', path: '/mcp' } as const
      const hostile = { ...shot, body: json(times(50, (id) => message(id, 'tools/list'))) }
      const harmless = { ...shot, body: json(times(50, (id) => message(id, 'ping'))) }
      return { hostile: () => times(4, () => hostile), harmless: () => times(4, () => harmless) }
    },
  },
]
