import type { ConfigurationPart, Plan } from '@tether/contract'
import { Refusal, refuse } from '../../kernel/http/index.ts'
import { businessAsking, lockProvider, notABusiness, providerOf, requireBusiness } from '../../tenancy/access/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import {
  checkedEmail,
  checkedName,
  createTenant,
  eraseTenant,
  noTenant,
  tenantOf,
  unconfirmed,
} from '../../tenancy/tenants/index.ts'
import { checkContent, inOrder, readContent } from './content.ts'
import type { Parts, Placed } from './part.ts'
import * as sql from './queries.ts'
import { within } from './within.ts'

type BusinessInput = {
  readonly name: string
  readonly plan?: Plan | undefined
  readonly email?: string | undefined
  readonly configuration?: readonly ConfigurationPart[] | undefined
}

/** The business and what is copied to it are one transaction. A part that it may not have is left out, and said to be. */
export async function createBusiness(ctx: Context, input: BusinessInput, parts: Parts) {
  const name = checkedName(input.name)
  const plan = input.plan ?? 'free'
  const email = input.email === undefined ? null : checkedEmail(input.email)
  const asked = inOrder(input.configuration ?? ['events_webhook'])
  const content = await checkContent(ctx, parts, await readContent(ctx, parts, asked))
  const provider = providerOf(ctx.asking)
  const { made, placed } = await ctx.db.transaction(async (tx) => {
    const { confirmed } = await lockProvider(tx, provider)
    if (!confirmed) throw unconfirmed('child_tenant')
    const house = { keyring: ctx.keyring, settings: ctx.settings, db: tx }
    const more = { selfServe: false, confirmed: true, providerId: provider.tenantId }
    const tenant = await createTenant(house, { name, plan, email, ...more })
    const asking = await businessAsking({ db: tx }, tenant.tenantId, ctx.asking)
    if (asking === null) throw noTenant()
    const business = within(ctx, tx, asking)
    const ends: { part: ConfigurationPart; end: Placed }[] = []
    for (const part of asked) {
      const read = content[part] ?? { error: '' }
      const end =
        'error' in read ? refusedWith(read.error) : await placedOrRefused(parts[part].place(business, read.value))
      ends.push({ part, end })
    }
    return { made: tenant, placed: ends }
  })
  const { tenantId, apiKey, keyPrefix, signingSecret } = made
  return {
    ...{ tenantId, name, plan, apiKey, keyPrefix, signingSecret },
    configuration: placed.filter(({ end }) => end.status !== 'refused').map(({ part }) => part),
    // Nobody asked for the webhook that there is not.
    refused: input.configuration === undefined ? [] : placed.flatMap(({ part, end }) => refusedPart(part, end)),
  }
}

const refusedWith = (error: string): Placed => ({ status: 'refused', error })

/** A verb throws its refusals before it writes anything. */
const placedOrRefused = (placing: Promise<Placed>): Promise<Placed> =>
  placing.catch((error: unknown) => {
    if (error instanceof Refusal) return refusedWith(error.message)
    throw error
  })

const refusedPart = (part: ConfigurationPart, end: Placed) =>
  end.status === 'refused' ? [{ part, error: end.error }] : []

const presentBusiness = ({ tenantId, name, plan, createdAt, liveKeys, dailyUsd, monthlyUsd }: sql.BusinessRow) => ({
  ...{ tenantId, name, plan, createdAt: createdAt.toISOString(), liveKeys },
  spend: { dailyUsd, monthlyUsd },
})

const periods = (now: number) => {
  const day = new Date(now).toISOString().slice(0, 10)
  return { day, month: day.slice(0, 7) }
}

/** Reads one row more than asked for, which shows whether another page follows. */
export async function listBusinesses({ db, asking, clock }: Context, after: number, limit: number) {
  const rows = await db.rows(sql.listBusinesses, {
    providerId: asking.tenantId,
    after,
    limit: limit + 1,
    ...periods(clock.now()),
  })
  const page = rows.slice(0, limit)
  const nextAfter = rows.length > limit ? (page.at(-1)?.tenantId ?? null) : null
  return { tenants: page.map(presentBusiness), count: page.length, nextAfter }
}

export async function readBusiness({ db, asking, clock }: Context, tenantId: number) {
  const row = await db.one(sql.findBusiness, { tenantId, providerId: asking.tenantId, ...periods(clock.now()) })
  if (row === undefined) throw notABusiness()
  return presentBusiness(row)
}

/** Deletes for ever, so the caller must spell out the name of the business. */
export async function deleteBusiness(ctx: Context, tenantId: number, confirm: string | undefined) {
  const provider = providerOf(ctx.asking)
  const erased = await eraseTenant(ctx, tenantId, {
    // Looked at before it is locked, so that nobody else's workspace ever is.
    async first(tx) {
      await lockProvider(tx, provider)
      await requireBusiness({ db: tx }, provider, tenantId)
    },
    async locked(tx) {
      await requireBusiness({ db: tx }, provider, tenantId)
      if ((await tenantOf({ db: tx }, tenantId)).name !== confirm) throw unspelt()
    },
  })
  if (!erased) throw notABusiness()
  return { deleted: true as const, tenantId }
}

const unspelt = () =>
  refuse(
    'confirmation_required',
    'This deletes the business for ever. To confirm, send its exact name (GET /v1/provider/tenants) in `confirm`.',
  )
