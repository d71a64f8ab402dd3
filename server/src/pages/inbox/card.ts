import { type Html, html } from '../../kernel/html/index.ts'
import { cut, isObject, type Json, type JsonObject, member } from '../../kernel/json/index.ts'
import type { ListedRow } from '../../writes/audit/index.ts'
import {
  argumentLabels,
  type Changed,
  type FallsShort,
  type Looked,
  type RecordNow,
  type Said,
  waitsForOthers,
} from '../../writes/decisions/index.ts'
import { instant, seen } from '../kit/index.ts'
import { changing, type Unchanged } from './change.ts'
import { schemaOf, textOf } from './change-fields.ts'
import { formToken } from './layout.ts'
import { riskBadge, shown } from './parts.ts'
import type { Person } from './visit.ts'
import type { Words } from './words-en.ts'

export type CardState = {
  readonly looked: Looked
  readonly record: RecordNow | null
  readonly said: readonly Said[]
  readonly trail: readonly ListedRow[]
  /** What became of the reader's own decision, a moment ago. */
  readonly outcome: string | null
  /** A change that could not be read: its form stays open, with what was typed. */
  readonly unchanged: Unchanged | null
  readonly next: { readonly actionId: string; readonly title: string } | null
}

export function card(person: Person, state: CardState): Html {
  const { words } = person
  const { looked, outcome, next } = state
  const { action } = looked
  const isOpen = action.state === 'pending'
  return html`<article id="card" data-state="${action.state}" data-approvals="${looked.approvals.length}">
${isOpen ? outcome !== null && html`<p class="note" role="status" tabindex="-1" autofocus id="outcome">${outcome}</p>` : standing(person, state)}
<h1>${seen(action.title)} ${riskBadge(action.risk, words)}</h1>
${origin(person, state)}
${action.rationale !== null && html`<p class="why"><span>${words.card.why}:</span> ${seen(action.rationale)}</p>`}
${argumentTable(person, state)}
${exactly(person, looked)}
${conversation(person, state)}
${isOpen && deciding(person, looked)}
${isOpen && looked.tool !== null && changing(person, looked, state.unchanged)}
${trailOf(person, state.trail)}
${next !== null && html`<p class="next"><a href="/inbox/actions/${next.actionId}">${words.card.next}: ${seen(next.title)}</a></p>`}
</article>`
}

/** What a value is cut to in a sentence; the page has all of it below. */
const LONGEST_SHORT = 200

type Reader = Pick<Person, 'words' | 'language'>

const nameOf = ({ displayName, userId }: ListedRow, { words }: Person): string =>
  displayName ?? (userId > 0 ? `#${userId}` : words.somebody)

/** The words of the service or of the API, which speak English: to another reader only as a detail. */
const told = ({ words, language }: Reader, text: string | null): Html =>
  text === null || text === ''
    ? html``
    : language === 'en'
      ? html`<p>${seen(text)}</p>`
      : html`<details><summary>${words.card.technical}</summary><p lang="en">${seen(text)}</p></details>`

const AMENDED = /^amended(?:: ([\s\S]*))?$/

/** The reason of a no is its person’s own; that of a changed write begins with a word of the service. */
function rejectedFor({ words }: Reader, reason: string): readonly (Html | string)[] {
  const amended = AMENDED.exec(reason)
  if (amended === null) return seen(reason)
  return seen(amended[1] === undefined ? `${words.card.changed}.` : `${words.card.changed}: ${amended[1]}`)
}

/** What became of it while the page was open, or long ago. */
function standing(person: Person, { looked: { action }, trail, outcome }: CardState): Html {
  const { words } = person
  const last = trail.findLast(({ event }) => event !== 'verified' && event !== 'unverified' && event !== 'proposed')
  const by = last === undefined || last.userId === 0 ? null : nameOf(last, person)
  const isGood = action.state === 'executed' && action.verificationStatus !== 'unverified'
  return html`<section class="note ${isGood ? 'good' : action.state === 'rejected' || action.state === 'expired' ? '' : 'bad'}"${outcome !== null && html` id="outcome" tabindex="-1" autofocus`}>
${outcome !== null && html`<p>${outcome}</p>`}
<p><strong>${words.state[action.state]}</strong>${by !== null && html` · ${seen(by)}`}${last !== undefined && html` · ${instant(last.occurredAt)}`}</p>
${action.errorMessage !== null && (action.state === 'rejected' ? html`<p>${rejectedFor(person, action.errorMessage)}</p>` : told(person, action.errorMessage))}
${action.verificationStatus !== null && html`<p>${words.event[action.verificationStatus]}.</p>${told(person, action.verificationReason)}`}
${action.replacedBy !== null && html`<p><a href="/inbox/actions/${action.replacedBy}">${words.card.replaced}</a></p>`}
</section>`
}

function origin(person: Person, { looked: { action }, trail }: CardState): Html {
  const { card } = person.words
  const proposed = trail.find(({ event }) => event === 'proposed')
  const asked =
    proposed !== undefined && proposed.userId !== 0
      ? card.by(nameOf(proposed, person))
      : action.sessionId !== null
        ? `${card.by(card.visitor)} ${card.inConversation}`
        : // Who asked stands in the trail; an archived one no longer says so.
          proposed === undefined
          ? ''
          : card.overApi
  const ends = member({ pending: card.runsOut, expired: card.ranOut }, action.state as string)
  return html`<p class="meta">${card.proposed} ${instant(action.createdAt)} ${seen(asked)}${action.subject !== null && html`, ${seen(card.customer(action.subject))}`}${ends !== undefined && html` · ${ends} ${instant(action.expiresAt)}`}
${action.replaces !== null && html` · <a href="/inbox/actions/${action.replaces}">${card.replaces}</a>`}</p>`
}

/** What the record says of an argument: the value that the check compares with it, or a member of the same name. */
function recorded(name: string, { record }: CardState): Json | undefined {
  if (record?.kind !== 'read' || !isObject(record.result)) return undefined
  return Object.hasOwn(record.result, name) ? record.result[name] : undefined
}

function argumentTable(person: Person, state: CardState): Html {
  const { words } = person
  const { card } = words
  const { given } = state.looked
  const { record } = state
  const names = Object.keys(given)
  if (names.length === 0) return html`<p>${card.noArguments}</p>${recordNotes(person, state)}`
  const shows = record?.kind === 'read'
  const labels = argumentLabels(state.looked.tool, names, person.language)
  const rows = names.map((name) => {
    const now = recorded(name, state)
    const sent = member(given, name) ?? null
    const differs = now !== undefined && textOf(now) !== textOf(sent)
    const schema = schemaOf(state.looked.tool?.parameters ?? {}, name)
    const beside =
      now === undefined
        ? html`<span class="none">${card.noRecord}</span>`
        : differs
          ? shown(schema, now, words)
          : card.same
    return html`<tr${differs && html` class="differs"`}><th scope="row">${seen(labels.get(name) ?? name)}</th><td>${shown(schema, sent, words)}</td>${shows && html`<td class="now">${beside}</td>`}</tr>`
  })
  return html`<table><thead><tr><th scope="col" colspan="2">${card.what}</th>${shows && html`<th scope="col">${card.now}</th>`}</tr></thead>
<tbody>${rows}</tbody></table>
${recordNotes(person, state)}`
}

function recordNotes({ words, language }: Person, { record, looked }: CardState): Html {
  const { card } = words
  if (record === null) return html``
  if (record.kind === 'unreadable')
    return html`<div class="note"><p>${card.recordUnreadable} ${card.unreadable[record.status] ?? ''}</p>${told({ words, language }, record.reason)}</div>`
  const { result } = record
  const rest = isObject(result) ? Object.entries(result).filter(([name]) => !Object.hasOwn(looked.given, name)) : []
  const labels = argumentLabels(
    looked.tool,
    rest.map(([name]) => name),
    language,
  )
  return html`${!record.holds && html`<p class="note bad">${card.recordBroken} ${shortOf({ words, language }, looked, record.short)}</p>`}
${rest.length > 0 && html`<details open><summary>${card.recordMore}</summary><dl>${rest.map(([name, one]) => html`<dt>${seen(labels.get(name) ?? name)}</dt><dd>${shown({}, one ?? null, words)}</dd>`)}</dl></details>`}`
}

/** What the record says, and what it must say for the write to run. */
function shortOf({ words: { card }, language }: Reader, { tool }: Looked, short: FallsShort | null): Html | string {
  if (short === null) return card.short.unclear
  const name = short.path.at(-1) ?? ''
  const label = argumentLabels(tool, [name], language).get(name) ?? short.path.join('.')
  if (short.found === undefined) return html`${seen(card.short.missing(label))}`
  const { wanted } = short
  const wants = wanted.as === 'one_of' ? wanted.values.map(textOf).join(', ') : textOf(wanted.limit)
  return html`${seen(card.short[wanted.as](label, cut(textOf(short.found), LONGEST_SHORT), cut(wants, LONGEST_SHORT)))}`
}

/** JSON of our own making: the arguments as they were stored, in a form that a person reads. */
const pretty = (json: JsonObject): string => JSON.stringify(json, null, 2)

function exactly({ words: { card } }: Person, { preview, changed, destination, tool, action }: Looked): Html {
  if (changed !== null && changed.what !== 'request') return html`<p class="note bad">${whyMoved(card, changed)}</p>`
  // The request of a write that ended is left out if it would go elsewhere now.
  if (preview === null && tool !== null && action.state !== 'pending') return html``
  if (preview === null) return html`<p class="note bad">${card.gone}</p>`
  // The preview is JSON: a tool with its arguments.
  return html`<details><summary>${card.exactly}</summary>${destination !== null && html`<p class="meta">${seen(card.goesTo(destination))}</p>`}<pre tabindex="0">${seen(pretty(preview as unknown as JsonObject))}</pre></details>`
}

function whyMoved(card: Words['card'], { what, from, to }: Changed): readonly (Html | string)[] {
  if (what === 'hash_version') return seen(card.oldHash)
  return seen(from === null || to === null || from === to ? card.moved : card.movedBetween(from, to))
}

function conversation({ words }: Person, { said, looked }: CardState): Html {
  const { card } = words
  if (looked.action.sessionId === null) return html``
  const turns = said.map(
    ({ prompt, reply }) =>
      html`<dt>${card.visitorSaid}</dt><dd>${seen(prompt)}</dd>${reply !== '' && html`<dt>${card.answered}</dt><dd>${seen(reply)}</dd>`}`,
  )
  return html`<details><summary>${card.conversation}</summary>${said.length === 0 ? html`<p>${card.conversationNone}</p>` : html`<dl class="talk">${turns}</dl>`}</details>`
}

function approvalLine({ words }: Person, { outlook, approvals }: Looked): Html {
  const { card } = words
  const { required, received, roles, caller } = outlook
  const counted = approvals.filter(({ id }) => id !== null && outlook.givenBy.includes(id))
  const names = counted.map(({ displayName }) => displayName ?? words.somebody).join(', ')
  const waits = waitsForOthers(outlook)
  const after = waits === null && caller?.ok === true ? caller.required - caller.received : null
  const dots =
    required > 1 &&
    html`<span class="dots" aria-hidden="true">${Array.from({ length: required }, (_, at) => html`<span${at < received && html` class="full"`}></span>`)}</span>`
  return html`<p class="approvals">${dots}${card.approvedBy(received, required, names)}
${caller?.ok === false && html` <strong>${card.mayNot}</strong> ${card.barredBy[caller.why]}`}
${roles !== null && (caller === null || (!caller.ok && caller.why === 'role')) && html` ${card.roles(roles.join(', '))}`}
${waits !== null && html` <strong>${card.youApproved(waits)}</strong>`}
${after !== null && (after > 0 ? card.needsMore(after) : card.runsWhenYou)}</p>`
}

function deciding(person: Person, looked: Looked): Html {
  const { card } = person.words
  const { action, acknowledge, outlook, tool, changed } = looked
  const { caller } = outlook
  const may = caller?.ok === true && tool !== null && changed === null && waitsForOthers(outlook) === null
  const runs = caller?.ok === true && caller.received >= caller.required
  const to = `/inbox/actions/${action.actionId}`
  return html`${changed === null && approvalLine(person, looked)}
<form method="post" action="${to}" id="decide">${formToken(person)}
<input type="hidden" name="payloadHash" value="${action.payloadHash}">
${
  may &&
  acknowledge !== null &&
  html`<label class="check"><input type="checkbox" name="acknowledge" value="yes"> <span>${card.acknowledge[action.risk]}</span></label>`
}
<label class="reason" for="reason">${card.rejectReason}</label><input id="reason" name="reason" maxlength="900" autocomplete="off">
${action.sessionId !== null && html`<label class="check"><input type="checkbox" name="tellVisitor" value="yes"> <span>${card.tellVisitor}</span></label>`}
<p class="bar">${may && html`<button name="decision" value="confirm" data-key="a">${runs ? card.confirm : card.approve}</button>`}
<button name="decision" value="reject" class="quiet" data-key="r">${card.reject}</button></p>
</form>`
}

const reasonOf = (person: Person, event: string, reason: string): Html | readonly (Html | string)[] =>
  event === 'rejected' ? rejectedFor(person, reason) : html`<span lang="en">${seen(reason)}</span>`

function trailOf(person: Person, trail: readonly ListedRow[]): Html {
  const { words } = person
  const lines = trail.map((event) => {
    const by = event.userId === 0 ? '' : ` · ${nameOf(event, person)}`
    const reason = event.reason !== null && html` · ${reasonOf(person, event.event, event.reason)}`
    return html`<li>${instant(event.occurredAt)} ${words.event[event.event] ?? event.event}${seen(by)}${reason}</li>`
  })
  const isWhole = trail.some(({ event }) => event === 'proposed')
  return html`<details><summary>${words.card.trail}</summary>${!isWhole && html`<p>${words.card.archived}</p>`}<ol class="trail">${lines}</ol></details>`
}
