// Works out which registered person each entry of a list means. Pure: it gets the people as they were read under the
// tenant's lock, and returns what to write, or why nothing may be written.
import type { UserEntry } from './user-entries.ts'

export type PersonValues = {
  readonly userId: number | null
  readonly displayName: string
  readonly email: string | null
  readonly role: string
  readonly active: boolean
}
export type StoredPerson = PersonValues & { readonly id: number }

export type PeoplePlan = {
  readonly added: readonly PersonValues[]
  readonly changed: readonly StoredPerson[]
  /** About entries that mean nobody and cannot be registered. */
  readonly faults: readonly string[]
  /** About entries that would make two people one, or one person two. */
  readonly conflicts: readonly string[]
}

/** A person while the list is being read: as stored, or new (`id` null). */
type PersonDraft = { readonly id: number | null; values: PersonValues; changed: boolean; entry: string | null }

/** Looks at every entry, so that everything wrong is reported at once. */
export function planPeople(stored: readonly StoredPerson[], entries: readonly UserEntry[]): PeoplePlan {
  const people = indexPeople(stored)
  const faults: string[] = []
  const conflicts: string[] = []
  for (const entry of entries) {
    const found = people.find(entry)
    if (entry.id !== null && found.byId === undefined) {
      faults.push(`${entry.label}: there is nobody with this id. Leave it out to register somebody new.`)
      continue
    }
    const person = found.byId ?? found.byUserId ?? found.byEmail
    const fault = person === undefined ? refuseNew(entry) : undefined
    const conflict = person === undefined ? undefined : conflictOf(entry, person, found)
    if (fault !== undefined) faults.push(fault)
    if (conflict !== undefined) conflicts.push(`${entry.label} ${conflict}`)
    if (fault === undefined && conflict === undefined) people.put(entry, person)
  }
  return { ...people.written(), faults, conflicts }
}

type Found = { byId: PersonDraft | undefined; byUserId: PersonDraft | undefined; byEmail: PersonDraft | undefined }

function refuseNew({ label, userId, email, displayName }: UserEntry): string | undefined {
  if (displayName === undefined) return `${label}: a new person needs a displayName.`
  // Nobody could ever act as them, and the next list would register them again.
  if (userId === null && (email ?? null) === null) return `${label}: a new person needs a userId or an email.`
  return undefined
}

function conflictOf(entry: UserEntry, person: PersonDraft, { byUserId, byEmail }: Found): string | undefined {
  if (person.entry !== null) return `is the same person as ${person.entry}: send each person once.`
  if (byUserId !== undefined && byUserId !== person) {
    return `points at two people: ${labelOf(person)} and, by its userId, ${labelOf(byUserId)}.`
  }
  // Somebody who already has the address merely keeps it: two people may share one.
  const moves = foldedEmail(person.values.email) !== foldedEmail(entry.email ?? null)
  if (byEmail !== undefined && byEmail !== person && moves) {
    return `points at two people: ${labelOf(person)} and, by its email, ${labelOf(byEmail)}.`
  }
  const { userId } = person.values
  // Approvals are kept by user id. An id that moved to another person would let one person count as two.
  if (entry.userId !== null && userId !== null && userId !== entry.userId) {
    return `would give ${labelOf(person)} a second userId, ${entry.userId}. Register somebody new, and set this person inactive.`
  }
  return undefined
}

const labelOf = ({ id, values, entry }: PersonDraft): string =>
  id === null ? `the person of ${entry ?? 'this list'}` : `id ${id} (userId ${values.userId ?? 'none'})`

const foldedEmail = (email: string | null): string | null => email?.toLowerCase() ?? null

function indexPeople(stored: readonly StoredPerson[]) {
  const drafts: PersonDraft[] = []
  const byId = new Map<number, PersonDraft>()
  const byUserId = new Map<number, PersonDraft>()
  /** People without a user id: only they are found by their address. */
  const byEmail = new Map<string, PersonDraft>()

  const know = (draft: PersonDraft): void => {
    const { userId, email } = draft.values
    const folded = foldedEmail(email)
    if (userId !== null) byUserId.set(userId, draft)
    else if (folded !== null) byEmail.set(folded, draft)
  }
  const forget = (draft: PersonDraft): void => {
    const folded = foldedEmail(draft.values.email) ?? ''
    if (byEmail.get(folded) === draft) byEmail.delete(folded)
  }
  for (const { id, ...values } of stored) {
    const draft: PersonDraft = { id, values, changed: false, entry: null }
    drafts.push(draft)
    byId.set(id, draft)
    know(draft)
  }
  return {
    find: ({ id, userId, email }: UserEntry): Found => ({
      byId: id === null ? undefined : byId.get(id),
      byUserId: userId === null ? undefined : byUserId.get(userId),
      byEmail: byEmail.get(foldedEmail(email ?? null) ?? ''),
    }),
    put(entry: UserEntry, person: PersonDraft | undefined): void {
      const draft = person ?? { id: null, values: nobody, changed: false, entry: null }
      if (person === undefined) drafts.push(draft)
      else forget(draft)
      const values = merged(draft.values, entry)
      draft.changed = !sameValues(draft.values, values)
      draft.values = values
      draft.entry = entry.label
      know(draft)
    },
    written: () => ({
      added: drafts.flatMap(({ id, values }) => (id === null ? [values] : [])),
      changed: drafts.flatMap(({ id, values, changed }) => (id !== null && changed ? [{ id, ...values }] : [])),
    }),
  }
}

const nobody: PersonValues = { userId: null, displayName: '', email: null, role: 'member', active: true }

const merged = (values: PersonValues, entry: UserEntry): PersonValues => ({
  userId: entry.userId ?? values.userId,
  displayName: entry.displayName ?? values.displayName,
  email: entry.email === undefined ? values.email : entry.email,
  role: entry.role ?? values.role,
  active: entry.active ?? values.active,
})

const sameValues = (a: PersonValues, b: PersonValues): boolean =>
  a.userId === b.userId &&
  a.displayName === b.displayName &&
  a.email === b.email &&
  a.role === b.role &&
  a.active === b.active
