import type { Service } from '../rig/running-service.ts'
import type { Manner } from './manners.ts'

/** A workspace whose endpoint has one manner. */
export type Shop = {
  readonly manner: Manner
  readonly apiKey: string
  /** Stages a write, confirms it, and tells the status. */
  confirmWrite(): Promise<string>
}

const tool = (name: string, isWrite: boolean) => ({
  name,
  description: 'Asks an endpoint that cannot be trusted, for a proof.',
  is_write: isWrite,
  parameters: { type: 'object', properties: { number: { type: 'string' } } },
})

type Opening = { readonly manner: Manner; readonly url: string }

export async function openShop(service: Service, operatorKey: string, { manner, url }: Opening): Promise<Shop> {
  const { apiKey } = await asked<{ apiKey: string }>('POST', '/v1/tenants', operatorKey, { name: manner.name })
  await asked('PUT', '/v1/endpoint', apiKey, { url })
  await asked('PUT', '/v1/tools', apiKey, [tool('read_it', false), tool('write_it', true)])

  async function asked<Body>(method: string, path: string, key: string, body: unknown): Promise<Body> {
    const answer = await service.ask(method, path, { key, body })
    if (answer.status !== 200) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`)
    return answer.body as Body
  }

  return {
    manner,
    apiKey,
    async confirmWrite() {
      const staged = await asked<{ actionId: string; confirmationToken: string }>('POST', '/v1/actions', apiKey, {
        tool: 'write_it',
        arguments: { number: 'A-1' },
      })
      const answer = await service.ask('POST', `/v1/actions/${staged.actionId}/confirm`, {
        key: staged.confirmationToken,
      })
      return String((answer.body as { status?: unknown }).status)
    },
  }
}
