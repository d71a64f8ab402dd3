// The list of people as it is sent, checked for its shape, entry by entry. Whom each entry means is decided in people-plan.ts.
import { isObject, type Json, type JsonObject, member, present, shown } from '../../kernel/json/index.ts'
import { longestEmail, longestName, longestRole, mostPeople } from './limits.ts'
import { checkFlag, checkSpelling, faultText, isLabel, type MemberFaults, shownAny } from './members.ts'

/** An absent member keeps the value that the person has. An `email` of null removes the address. */
export type UserEntry = {
  /** What messages call the entry. */
  readonly label: string
  readonly id: number | null
  readonly userId: number | null
  readonly displayName?: string
  readonly email?: string | null
  readonly role?: string
  readonly active?: boolean
}

type EntriesChecked =
  | { readonly ok: true; readonly entries: readonly UserEntry[] }
  | { readonly ok: false; readonly error: string }

const MEMBERS = ['id', 'userId', 'displayName', 'email', 'role', 'active'] as const

export function checkEntries(value: unknown): EntriesChecked {
  const list = isObject(value) ? member(value, 'users') : value
  if (!Array.isArray(list)) {
    return {
      ok: false,
      error: `Send a list of people, or {"users": [...]}; this is ${shownAny(list)}.`,
    }
  }
  if (list.length > mostPeople) {
    return {
      ok: false,
      error: `The list has ${list.length} people; ${mostPeople} is the most. Nobody was changed.`,
    }
  }
  const faults: MemberFaults = []
  const entries = list.flatMap((raw, index) => checkEntry(raw, index, faults))
  return faults.length > 0 ? { ok: false, error: faultText(faults) } : { ok: true, entries }
}

function checkEntry(sent: Json, index: number, faults: MemberFaults): UserEntry[] {
  if (!isObject(sent)) {
    faults.push(`Entry ${index} must be an object, not ${shown(sent)}.`)
    return []
  }
  const raw = present(sent, 'email')
  const label = labelOf(raw, index)
  const before = faults.length
  checkSpelling(sent, MEMBERS, label, faults)
  checkIds(raw, label, faults)
  checkText(raw, 'displayName', longestName, label, faults)
  checkText(raw, 'role', longestRole, label, faults)
  checkEmail(member(raw, 'email'), label, faults)
  checkFlag(raw, 'active', `${label}: `, faults)
  return faults.length === before ? [toEntry(raw, label)] : []
}

function labelOf(raw: JsonObject, index: number): string {
  const id = member(raw, 'id') ?? null
  const userId = member(raw, 'userId') ?? null
  if (id !== null) return `Entry ${index} (id ${shown(id)})`
  return userId === null ? `Entry ${index}` : `Entry ${index} (userId ${shown(userId)})`
}

const isId = (value: Json): boolean => typeof value === 'number' && Number.isSafeInteger(value) && value > 0

function checkIds(raw: JsonObject, label: string, faults: MemberFaults): void {
  for (const name of ['id', 'userId']) {
    const value = member(raw, name) ?? null
    if (value !== null && !isId(value))
      faults.push(`${label}: ${name} must be a positive integer, not ${shown(value)}.`)
  }
}

function checkText(raw: JsonObject, name: string, longest: number, label: string, faults: MemberFaults): void {
  const value = member(raw, name)
  if (value === undefined || isLabel(value, longest)) return
  faults.push(
    `${label}: ${name} must be a text of 1 to ${longest} characters on one line, with no blanks around it, not ${shown(value)}.`,
  )
}

// Refuses only what could never be an address: the real check is whether a mail arrives.
const ADDRESS = /^[^\s@<>(),;:"\\]{1,64}@[^\s@<>(),;:"\\]+\.[^\s@.<>(),;:"\\]{2,}$/

function checkEmail(value: Json | undefined, label: string, faults: MemberFaults): void {
  if (value === undefined || value === null || (isLabel(value, longestEmail) && ADDRESS.test(value))) return
  faults.push(`${label}: email must be an address such as name@example.com, or null, not ${shown(value)}.`)
}

/** Each member was compared with its type above. */
function toEntry(checked: JsonObject, label: string): UserEntry {
  const { id = null, userId = null } = checked
  return { ...(checked as Partial<UserEntry>), label, id: id as number | null, userId: userId as number | null }
}
