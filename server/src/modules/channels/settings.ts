// Sets, shows, tests and removes a channel of a workspace.
import type * as contract from '@tether/contract'
import type { z } from 'zod'
import { refuse } from '../../kernel/http/index.ts'
import { member } from '../../kernel/json/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import { languageOf, noTenant, tenantOf } from '../../tenancy/tenants/index.ts'
import { deleteClicks } from './click-queries.ts'
import type { Driver } from './driver.ts'
import { type ChannelRow, deleteChannel, findChannel, placeChannel } from './queries.ts'
import { openConnection, sealSecrets, secretUnreadable } from './secrets.ts'
import { WORDS } from './words.ts'

type Fault = z.output<typeof contract.ChannelTested>['fault']

/** What to do about the faults that every channel can have. docs/slack.md lists all faults. */
const FAULTS: Readonly<Record<string, string>> = {
  unreachable: 'No answer came. It is tried again, and nothing is lost.',
  ratelimited: 'Too much was sent at once. It goes on after the pause that was asked for.',
  secret_unreadable: 'The stored credentials do not open. Set them again.',
}
const WITHOUT_WORDS = 'The message was refused. The code is the other side’s own word for why.'

export const faultOf = (driver: Driver, row: Pick<ChannelRow, 'fault' | 'faultAt'> | undefined): Fault =>
  row?.fault == null || row.faultAt === null
    ? null
    : {
        code: row.fault,
        message: member({ ...FAULTS, ...driver.faults }, row.fault) ?? WITHOUT_WORDS,
        at: row.faultAt.toISOString(),
      }

export const loadChannel = ({ db, asking }: Context, { kind }: Driver): Promise<ChannelRow | undefined> =>
  db.one(findChannel, { tenantId: asking.tenantId, kind })

const viewOf = (ctx: Context, driver: Driver, row: ChannelRow | undefined) => ({
  configured: row !== undefined,
  ...driver.settings.describe(ctx, row),
  setAt: row?.setAt.toISOString() ?? null,
  fault: faultOf(driver, row),
})

export const readChannel = async (ctx: Context, driver: Driver) => viewOf(ctx, driver, await loadChannel(ctx, driver))

export async function setChannel(ctx: Context, driver: Driver, asked: unknown) {
  const { secrets, ...placed } = await driver.settings.check(ctx, asked, await loadChannel(ctx, driver))
  const of = { tenantId: ctx.asking.tenantId, kind: driver.kind }
  const row = await ctx.db.one(placeChannel, { ...of, ...placed, sealed: sealSecrets(ctx, of, secrets) })
  if (row === undefined) throw noTenant()
  return viewOf(ctx, driver, row)
}

/** The channel goes first: a click that is being stored holds its row, so no click is stored after they are deleted. */
export const removeChannel = ({ db, asking }: Context, { kind, clicks }: Driver): Promise<{ deleted: boolean }> =>
  db.transaction(async (tx) => {
    const { tenantId } = asking
    const deleted = (await tx.one(deleteChannel, { tenantId, kind })) !== undefined
    if (clicks !== undefined) await tx.run(deleteClicks, { tenantId })
    return { deleted }
  })

/** Sends one message that is about no write. A channel that rests is not affected by the result. */
export async function testChannel(ctx: Context, driver: Driver): Promise<z.output<typeof contract.ChannelTested>> {
  const { kind, name } = driver
  const { tenantId } = ctx.asking
  const row = await loadChannel(ctx, driver)
  if (row === undefined)
    throw refuse('invalid_request', `${name} is not set. Set it with PUT /v1/notifications/${kind}, then test it.`)
  const { language } = await tenantOf(ctx, tenantId)
  const to = openConnection(ctx, { tenantId, kind }, row)
  if (to === null) throw secretUnreadable(name)
  const fault = await driver.say(ctx, to, WORDS[languageOf(language)].test)
  return { sent: fault === null, fault: faultOf(driver, { fault, faultAt: new Date(ctx.clock.now()) }) }
}
