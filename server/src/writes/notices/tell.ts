import { randomUUID } from 'node:crypto'
import type { Queries } from '../../kernel/db/index.ts'
import type { House } from '../../tenancy/context/index.ts'
import { queueMail } from '../../tenancy/mail/index.ts'
import { languageOf, tenantOf } from '../../tenancy/tenants/index.ts'
import { type Catalog, type Catalogs, latestCatalog } from '../../tools/catalog/index.ts'
import { findAction, judgedAction, storedArguments } from '../actions/index.ts'
import { findPerson, type PersonRow, whoMayApprove } from '../approvals/index.ts'
import { NOTICE } from './letters.ts'
import type { Channel, Notice } from './port.ts'
import * as sql from './queries.ts'
import { wants } from './wanted.ts'

// A person is sent so many mails of single writes in ten minutes. What comes after them is one mail, as soon as there is room again.
const MOST_IN_WINDOW = 3
const WINDOW_SECONDS = 600

export const boundsOf = ({ settings }: Pick<House, 'settings'>) => ({
  windowSeconds: WINDOW_SECONDS,
  mostInWindow: MOST_IN_WINDOW,
  mostPerHour: settings.mail.maxNoticesPerHour,
})

type Of = { readonly tenantId: number; readonly ids: readonly string[] }

type Telling = { readonly house: House; readonly catalogs: Catalogs; readonly channels: readonly Channel[] }

/** Hands these writes to every channel. What the channels write down commits with the rows that said it is due. */
export async function tellOfDue(
  { house, catalogs, channels }: Telling,
  { tenantId, ids }: Of,
): Promise<{ taken: number }> {
  const these = { tenantId, actionIds: [...new Set(ids)] }
  if (!(await usesAny(channels, house.db, tenantId))) return { taken: (await house.db.rows(sql.takeDue, these)).length }
  const catalog = await latestCatalog(house, catalogs, tenantId)
  return await house.db.transaction(async (tx) => {
    const due = await tx.rows(sql.takeDue, these)
    // An id of ours begins with its time.
    const inOrder = due.toSorted((one, other) => (one.actionId < other.actionId ? -1 : 1))
    for (const { actionId, occasion } of inOrder) {
      const notice = await noticeOf(tx, catalog, { tenantId, actionId, occasion })
      if (notice !== null) for (const channel of channels) await channel.take(tx, notice)
    }
    return { taken: due.length }
  })
}

async function usesAny(channels: readonly Channel[], db: Queries, tenantId: number): Promise<boolean> {
  for (const channel of channels) if (await channel.isUsedBy(db, tenantId)) return true
  return false
}

type Due = { readonly tenantId: number; readonly actionId: string; readonly occasion: number }

/** Null where nobody has to decide it any longer. */
async function noticeOf(tx: Queries, catalog: Catalog, { tenantId, actionId, occasion }: Due): Promise<Notice | null> {
  const action = await tx.one(findAction, { tenantId, actionId })
  if (action === undefined || action.state !== 'pending' || action.late) return null
  return {
    tenantId,
    action,
    occasion,
    judged: judgedAction(action, catalog.find(action.tool), storedArguments(action)),
  }
}

/** Mails to those who may approve it and want to hear of it, at once or with their next digest. */
export const mailChannel = (house: House): Channel => ({
  isUsedBy: async () => true,
  async take(tx, { tenantId, judged, occasion }) {
    const people = (await whoMayApprove(tx, tenantId, judged)).filter(hasAddress)
    if (people.length === 0) return
    const choices = await tx.rows(sql.holdChoices, { tenantId, personIds: people.map(({ id }) => id) })
    const wanting = new Map(
      choices.filter(({ wanted }) => wants(wanted, judged.risk)).map((choice) => [choice.personId, choice]),
    )
    const { actionId } = judged
    const personIds = [...wanting.keys()]
    const told = await tx.rows(sql.insertNotices, { tenantId, actionId, occasion, personIds, ...boundsOf(house) })
    for (const { personId } of told.filter(({ atOnce }) => atOnce)) {
      const person = people.find(({ id }) => id === personId)
      const language = wanting.get(personId)?.language ?? null
      if (person !== undefined) await mail({ house, tx, tenantId }, { person, language, actionIds: [actionId] })
    }
  },
})

type Addressed = PersonRow & { readonly email: string }
const hasAddress = (person: PersonRow): person is Addressed => person.email !== null

type MailOf = { readonly person: Addressed; readonly language: string | null; readonly actionIds: readonly string[] }

async function mail(
  { house, tx, tenantId }: { readonly house: House; readonly tx: Queries; readonly tenantId: number },
  { person, language, actionIds }: MailOf,
): Promise<void> {
  await queueMail(tx, house, {
    tenantId,
    kind: NOTICE,
    to: person.email,
    language: languageOf(language ?? (await tenantOf({ db: tx }, tenantId)).language),
    fields: { personId: person.id, actionIds },
  })
}

/** One mail of all that was gathered for each of these people. */
export async function tellTogether(house: House, { tenantId, ids }: Of): Promise<{ taken: number }> {
  const personIds = ids.map(Number).toSorted((one, other) => one - other)
  return await house.db.transaction(async (tx) => {
    const choices = await tx.rows(sql.holdChoices, { tenantId, personIds })
    let taken = 0
    for (const { personId, language } of choices) {
      const found = await tx.rows(sql.takeGathered, { tenantId, personId, mailId: randomUUID(), ...boundsOf(house) })
      if (found.length === 0) continue
      taken++
      const person = await findPerson({ db: tx }, tenantId, personId)
      const actionIds = found.map(({ actionId }) => actionId).toSorted()
      if (person?.active === true && hasAddress(person))
        await mail({ house, tx, tenantId }, { person, language, actionIds })
    }
    return { taken }
  })
}
