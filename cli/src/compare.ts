// What changes for a model: tools that come and go, and what it is told of each.
import { ExactNumber, valueOfNumber } from './exact-json.ts'
import { jsonText, oneLine, type Screen, type Style, wrap } from './screen.ts'

type Tool = Readonly<Record<string, unknown>>
export type MemberChange = { readonly member: string; readonly before: unknown; readonly after: unknown }
export type Change =
  | { readonly change: 'added' | 'removed'; readonly tool: string }
  | { readonly change: 'changed'; readonly tool: string; readonly members: readonly MemberChange[] }

/** What a registration leaves out says the same as what it would be without it. */
const PRESETS: Tool = {
  risk: 'low',
  domain: 'general',
  requires_scope: false,
  chat_eligible: true,
  agent_eligible: true,
}

const isObject = (value: unknown): value is Tool =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)

const memberOf = (value: Tool, name: string): unknown => (Object.hasOwn(value, name) ? value[name] : undefined)

const named = (value: unknown): ReadonlyMap<string, Tool> =>
  new Map((Array.isArray(value) ? value : []).filter(isObject).map((tool) => [String(tool.name), tool]))

export function compare(before: unknown, after: unknown): Change[] {
  const [old, fresh] = [named(before), named(after)]
  const changes: Change[] = []
  for (const [tool, spec] of fresh) {
    const was = old.get(tool)
    if (was === undefined) changes.push({ change: 'added', tool })
    else {
      const members = differences({ ...PRESETS, ...was }, { ...PRESETS, ...spec }, '')
      if (members.length > 0) changes.push({ change: 'changed', tool, members })
    }
  }
  for (const tool of old.keys()) if (!fresh.has(tool)) changes.push({ change: 'removed', tool })
  return changes
}

/** The deepest members that differ. The order of members means nothing, and that of a list does. */
function differences(before: unknown, after: unknown, member: string): MemberChange[] {
  if (isObject(before) && isObject(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)])
    return [...names].flatMap((name) =>
      differences(memberOf(before, name), memberOf(after, name), member === '' ? name : `${member}.${name}`),
    )
  }
  return JSON.stringify(ordered(before)) === JSON.stringify(ordered(after)) ? [] : [{ member, before, after }]
}

/** Numbers by their value, and apart from a text of the same letters. */
const ordered = (value: unknown): unknown => {
  if (typeof value === 'number' || value instanceof ExactNumber) return `number ${valueOfNumber(value)}`
  if (typeof value === 'string') return `text ${value}`
  if (Array.isArray(value)) return value.map(ordered)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, ordered(memberOf(value, name))]),
  )
}

const SIGNS = { added: ['+', 'green'], removed: ['-', 'red'], changed: ['~', 'yellow'] } as const

export function showChanges(screen: Screen, changes: readonly Change[]): void {
  for (const one of changes) {
    const [sign, style] = SIGNS[one.change]
    screen.data(screen.paint(style, `${sign} ${oneLine(one.tool)}`))
    if (one.change === 'changed') for (const member of one.members) showMember(screen, member)
  }
}

function showMember(screen: Screen, { member, before, after }: MemberChange): void {
  const lines: [Style, string, unknown][] = [
    ['red', '-', before],
    ['green', '+', after],
  ]
  for (const [style, sign, value] of lines) {
    if (value === undefined) continue
    const text = `    ${sign} ${member}: ${oneLine(jsonText(value, false))}`
    screen.data(screen.paint(style, screen.isTerminal ? wrap(text, screen.width, 8) : text))
  }
}
