// A provider, its businesses, and what it asks of them.
import assert from 'node:assert/strict'
import type * as contract from '@tether/contract'
import type { z } from 'zod'
import type { NewTenant, OpenHouse, Reply } from './house.ts'

export type NewBusiness = z.output<typeof contract.NewBusiness>

export type Provider = NewTenant & {
  /** The `tpv_` key. */
  readonly key: string
  ask<Body = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<Reply<Body>>
  business(more?: object): Promise<NewBusiness>
}

export async function openProvider(house: OpenHouse, name = 'Software House'): Promise<Provider> {
  const tenant = await house.tenant(name)
  const { body, status, text } = await house.ask<{ key: string }>('POST', `/v1/tenants/${tenant.tenantId}/provider`, {
    key: house.operatorKey,
    body: {},
  })
  assert.equal(status, 200, text)
  const ask = <Body>(method: string, path: string, sent?: unknown) =>
    house.ask<Body>(method, `/v1/provider/${path}`, { key: body.key, ...(sent === undefined ? {} : { body: sent }) })
  return {
    ...tenant,
    key: body.key,
    ask,
    async business(more = {}) {
      const made = await ask<NewBusiness>('POST', 'tenants', { name: 'Corner Shop', ...more })
      assert.equal(made.status, 200, made.text)
      return made.body
    },
  }
}

export const withdraw = (house: OpenHouse, tenantId: number) =>
  house.ask('DELETE', `/v1/tenants/${tenantId}/provider`, { key: house.operatorKey })

/** Does a duty until it rests. */
export async function work(house: OpenHouse, name: string): Promise<void> {
  const duty = house.app.duties.find((one) => one.name === name)
  assert.ok(duty, `no duty ${name}`)
  for (let round = 0; round < 50; round++) if ((await duty.work(AbortSignal.timeout(120_000))) === 0) return
  assert.fail(`${name} never rests`)
}
