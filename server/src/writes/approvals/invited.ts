import type { Queries } from '../../kernel/db/index.ts'
import { refuse } from '../../kernel/http/index.ts'
import { noTenant } from '../../tenancy/tenants/index.ts'
import { longestName, longestRole, mostPeople } from './limits.ts'
import { isLabel } from './members.ts'
import * as sql from './queries.ts'

export type PersonToInvite = {
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
