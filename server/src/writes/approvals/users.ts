import type { Queries } from '../../kernel/db/index.ts'
import { refuse } from '../../kernel/http/index.ts'
import { askingRows } from '../../tenancy/access/index.ts'
import type { Context, TenantAsking } from '../../tenancy/context/index.ts'
import { noTenant } from '../../tenancy/tenants/index.ts'
import { longestName, longestRole, mostPeople } from './limits.ts'
import { faultText, isLabel } from './members.ts'
import { type PeoplePlan, type PersonValues, planPeople } from './people-plan.ts'
import { type ApprovalParts, policyInForce, underTenantLock, warningsOn } from './policies.ts'
import type { PolicyWarning } from './policy-warnings.ts'
import * as sql from './queries.ts'
import { checkEntries } from './user-entries.ts'

export async function listUsers(ctx: Context) {
  const rows = await ctx.db.rows(sql.listPeople, { tenantId: ctx.asking.tenantId })
  const users = rows.map(presentPerson)
  return { users, count: users.length }
}

export const presentPerson = ({ createdAt, ...person }: sql.PersonRow) => ({
  ...person,
  createdAt: createdAt.toISOString(),
})

/** At most two: whoever shares an address with somebody is known by it to nobody. */
export const peopleOfAddress = ({ db }: { readonly db: Queries }, tenantId: number, email: string) =>
  db.rows(sql.peopleOfAddress, { tenantId, email })

export const findPerson = ({ db }: { readonly db: Queries }, tenantId: number, id: number) =>
  db.one(sql.findPerson, { tenantId, id })

/** Whoever is removed acts no longer, from the next request on, and is signed out. */
export async function removePerson(
  ctx: Context,
  id: number,
  toolsOf: ApprovalParts['toolsOf'],
): Promise<{ removed: true; id: number; warnings: PolicyWarning[] }> {
  // Before anything is removed: a stored policy that cannot be read fails here.
  const policy = await policyInForce(ctx)
  const gone = await underTenantLock(ctx, (tx, tenantId) => tx.one(sql.removePerson, { tenantId, id }))
  if (gone === undefined)
    throw refuse('user_not_found', `Nobody here has the id ${id}. GET /v1/users lists the people.`)
  return { removed: true, id, warnings: await warningsOn(ctx, policy, toolsOf) }
}

type UsersRegistration =
  | { registered: true; userCount: number; warnings: PolicyWarning[] }
  | { registered: false; error: string }

/** All or nothing. Leaving somebody out removes nobody: a person who may no longer act is set inactive. */
export async function registerUsers(
  ctx: Context,
  value: unknown,
  toolsOf: ApprovalParts['toolsOf'],
): Promise<UsersRegistration> {
  const checked = checkEntries(value)
  if (!checked.ok) return { registered: false, error: checked.error }
  // Before anything is written: a stored policy that cannot be read fails here.
  const policy = await policyInForce(ctx)
  const registration = await underTenantLock(ctx, async (tx, tenantId) => {
    const stored = await tx.rows(sql.listPeople, { tenantId })
    const plan = planPeople(stored, checked.entries)
    if (plan.conflicts.length > 0) {
      throw refuse('user_link_conflict', `${faultText([...plan.conflicts])} Nobody was changed.`)
    }
    const userCount = stored.length + plan.added.length
    const error = plan.faults.length > 0 ? faultText([...plan.faults]) : refuseCrowd(userCount)
    if (error !== undefined) return { registered: false as const, error }
    await write(tx, ctx.asking, plan)
    return { registered: true as const, userCount }
  })
  return registration.registered ? { ...registration, warnings: await warningsOn(ctx, policy, toolsOf) } : registration
}

const refuseCrowd = (userCount: number): string | undefined =>
  userCount > mostPeople ? `There would be ${userCount} people; ${mostPeople} is the most.` : undefined

async function write(tx: Queries, asking: TenantAsking, { added, changed }: PeoplePlan): Promise<void> {
  const { tenantId } = asking
  if (added.length > 0) await tx.run(sql.insertPeople, { tenantId, ...columnsOf(added) })
  if (changed.length > 0) {
    const ids = changed.map(({ id }) => id)
    await tx.rows(sql.lockPeople, { tenantId, ids })
    const { askingSession } = askingRows(asking)
    await tx.run(sql.updatePeople, { tenantId, ...columnsOf(changed), ids, askingSession })
  }
}

const columnsOf = (people: readonly PersonValues[]) => ({
  userIds: people.map(({ userId }) => userId),
  displayNames: people.map(({ displayName }) => displayName),
  emails: people.map(({ email }) => email),
  roles: people.map(({ role }) => role),
  active: people.map(({ active }) => active),
})

type PersonToInvite = {
  readonly email: string
  readonly displayName: string | undefined
  readonly role: string | undefined
}

/**
 * The person of this address, registered by this if nobody is. It runs under the tenant's lock, in the transaction that queues
 * their mail, and changes nobody who is registered already.
 */
export async function registerInvited(
  tx: Queries,
  tenantId: number,
  { email, displayName = nameIn(email), role = 'member' }: PersonToInvite,
): Promise<sql.PersonRow> {
  refuseUnlessLabel('displayName', displayName, longestName)
  refuseUnlessLabel('role', role, longestRole)
  if ((await tx.one(sql.lockTenant, { tenantId })) === undefined) throw noTenant()
  const [known, ...others] = await tx.rows(sql.peopleOfAddress, { tenantId, email })
  if (others.length > 0) {
    throw refuse(
      'user_email_ambiguous',
      'Two registered people share this address. Give each their own with PUT /v1/users, then invite again.',
    )
  }
  if (known !== undefined) {
    const { emailSince, ...person } = known
    return person
  }
  const { count = 0 } = (await tx.one(sql.countPeople, { tenantId })) ?? {}
  if (count >= mostPeople) throw refuse('invalid_request', `${mostPeople} people are registered, which is the most.`)
  const made = await tx.one(sql.insertPerson, { tenantId, displayName, email, role })
  if (made === undefined) throw new Error('A person who was registered came back as nobody.')
  return made
}

const nameIn = (email: string): string => email.slice(0, email.lastIndexOf('@'))

function refuseUnlessLabel(name: string, value: string, longest: number): void {
  if (isLabel(value, longest)) return
  throw refuse(
    'invalid_request',
    `\`${name}\` must be a text of 1 to ${longest} characters on one line, with no blanks around it.`,
  )
}
