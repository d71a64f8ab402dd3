// Changing a write: its form, what of it cannot be read, and the form again with what was typed.
import type { ConfirmStatus } from '@tether/contract'
import { type Html, html } from '../../kernel/html/index.ts'
import { type Json, type JsonObject, member } from '../../kernel/json/index.ts'
import { checkArguments } from '../../tools/catalog/index.ts'
import { type ActionRooms, amend } from '../../writes/actions/index.ts'
import { argumentLabels, type Looked } from '../../writes/decisions/index.ts'
import { type Form, field, seen } from '../kit/index.ts'
import { type Fault, type FieldKind, kindOfField, readTyped, ruleOf, schemaOf, typedOf } from './change-fields.ts'
import { formToken } from './layout.ts'
import type { Person } from './visit.ts'
import type { Words } from './words-en.ts'

/** What somebody typed and nothing was made of. */
export type Unchanged = {
  readonly problem: string
  readonly form: Form
  /** What is wrong with a field, by the name of its argument. */
  readonly faults: ReadonlyMap<string, string>
}

type Field = { readonly name: string; readonly kind: FieldKind; readonly schema: JsonObject; readonly before: Json }

const fieldsOf = ({ given, tool }: Looked): readonly Field[] =>
  Object.entries(given).map(([name, before = null]) => {
    const schema = schemaOf(tool?.parameters ?? {}, name)
    return { name, schema, before, kind: kindOfField(schema, before) }
  })

const inputOf = (name: string): string => `argument.${name}`
const lines = (text: string): string => text.replaceAll('\r\n', '\n')

type Changing =
  | { readonly kind: 'amended'; readonly actionId: string }
  /** Somebody decided it meanwhile. */
  | { readonly kind: 'decided'; readonly status: ConfirmStatus }
  | { readonly kind: 'unchanged'; readonly unchanged: Unchanged }

/** Proposes the write again as it was typed, or says what of it cannot be. */
export async function change(
  person: Person,
  rooms: ActionRooms,
  looked: Looked,
  form: Form,
  source: string,
): Promise<Changing> {
  const { ctx, words } = person
  const { actionId } = looked.action
  const unchanged = (problem: string, faults: Unchanged['faults'] = new Map()): Changing => ({
    kind: 'unchanged',
    unchanged: { problem, form, faults },
  })
  const read = readForm(person, looked, form)
  if (read.faults.size > 0) return unchanged(words.change.problem, read.faults)
  // A write that can no longer be approved is proposed again with the same arguments.
  if (read.same && looked.changed === null) return unchanged(words.change.same)
  const reason = field(form, 'reason').trim() || null
  const amended = await amend(ctx, rooms, { actionId, arguments: read.changed, reason, source })
  if (amended.kind === 'amended') return { kind: 'amended', actionId: amended.actionId }
  if (amended.kind === 'decided') return { kind: 'decided', status: amended.decided.conclusion.status }
  return unchanged(words.change.refused[amended.kind])
}

type Read = { readonly changed: JsonObject; readonly same: boolean; readonly faults: Unchanged['faults'] }

function readForm({ words }: Person, looked: Looked, form: Form): Read {
  const fields = fieldsOf(looked)
  const read = fields.map(({ name, kind, before }) => {
    const sent = member(form, inputOf(name))?.at(-1)
    const isSame = sent === undefined || lines(sent) === lines(typedOf(kind, before))
    return [name, isSame ? null : readTyped(kind, sent)] as const
  })
  const before = (name: string): Json => member(looked.given, name) ?? null
  const changed = Object.fromEntries(
    read.map(([name, typed]) => [name, typed?.ok === true ? typed.value : before(name)]),
  )
  const unread = read.flatMap(([name, typed]) => (typed?.ok === false ? [[name, typed.fault] as const] : []))
  const faults = unread.length > 0 ? unread : unfit(looked, fields, changed)
  return {
    changed,
    same: read.every(([, typed]) => typed === null),
    faults: new Map(faults.map(([name, fault]) => [name, fault(words.change)])),
  }
}

/** What the tool does not take, told where it was typed. What is wrong with the whole is told by the verb. */
function unfit({ tool }: Looked, fields: readonly Field[], changed: JsonObject): readonly (readonly [string, Fault])[] {
  const checked = tool === null ? undefined : checkArguments(tool, changed)
  if (checked?.ok !== false) return []
  const at = ({ name }: Field) => checked.problems.some(({ path }) => path === name || path.startsWith(`${name}.`))
  return fields.filter(at).map(({ name, schema }) => [name, ruleOf(schema)] as const)
}

export function changing(person: Person, looked: Looked, unchanged: Unchanged | null): Html {
  const { change: words } = person.words
  const fields = fieldsOf(looked)
  const isMoved = looked.changed !== null
  if (fields.length === 0 && !isMoved) return html``
  const names = fields.map(({ name }) => name)
  const labels = argumentLabels(looked.tool, names, person.language)
  const inputs = fields.map((one, at) =>
    fieldOf(person, one, { id: `argument-${at}`, label: labels.get(one.name) ?? one.name }, unchanged),
  )
  const reason = unchanged === null ? '' : field(unchanged.form, 'reason')
  return html`<details class="change"${(unchanged !== null || isMoved) && html` open`}><summary>${isMoved ? words.again : words.heading}</summary>
<form method="post" action="/inbox/actions/${looked.action.actionId}">${formToken(person)}
${unchanged !== null && html`<p class="note bad" role="alert" tabindex="-1" autofocus>${unchanged.problem}</p>`}
<p>${words.lead}${!looked.outlook.requesterMayApprove && ` ${words.barsYou}`}</p>
${inputs}
<label for="why">${words.reason}</label><input id="why" name="reason" maxlength="900" autocomplete="off" value="${reason}">
<button name="decision" value="amend" class="quiet">${isMoved ? words.again : words.propose}</button>
</form></details>`
}

type Place = { readonly id: string; readonly label: string }

function fieldOf(
  { words }: Person,
  { name, kind, before }: Field,
  { id, label }: Place,
  unchanged: Unchanged | null,
): Html {
  const fault = unchanged?.faults.get(name)
  const hint = kind.as === 'lines' ? words.change.lines : undefined
  const told = [fault === undefined ? '' : `${id}-fault`, hint === undefined ? '' : `${id}-hint`].filter(
    (one) => one !== '',
  )
  const state = html`${fault !== undefined && html` aria-invalid="true"`}${told.length > 0 && html` aria-describedby="${told.join(' ')}"`}`
  const text = member(unchanged?.form ?? {}, inputOf(name))?.at(-1) ?? typedOf(kind, before)
  return html`<label for="${id}">${seen(label)}</label>${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}
${inputFor(kind, { id, name: inputOf(name), text, state, words: words.change })}
${fault !== undefined && html`<p class="fault" id="${id}-fault">${fault}</p>`}`
}

type Input = {
  readonly id: string
  readonly name: string
  readonly text: string
  readonly state: Html
  readonly words: Words['change']
}

const LONG = 80

function inputFor(kind: FieldKind, { id, name, text, state, words }: Input): Html {
  const among = kind.as === 'yesno' ? ['true', 'false'] : kind.as === 'choice' ? kind.among : undefined
  if (among !== undefined) {
    // A value that is not among them stays, and is refused with the others named.
    const all = among.includes(text) ? among : [text, ...among]
    const called = (one: string) =>
      kind.as === 'choice' ? one : one === 'true' ? words.yes : one === 'false' ? words.no : one
    return html`<select id="${id}" name="${name}"${state}>${all.map((one) => html`<option value="${one}"${one === text && html` selected`}>${called(one)}</option>`)}</select>`
  }
  if (kind.as === 'lines' || kind.as === 'structured' || text.length > LONG || text.includes('\n'))
    return html`<textarea id="${id}" name="${name}" rows="4"${state}>
${text}</textarea>`
  const mode = member({ number: 'decimal', integer: 'numeric' }, kind.as as string)
  return html`<input id="${id}" name="${name}" value="${text}" autocomplete="off"${mode !== undefined && html` inputmode="${mode}"`}${state}>`
}
