// The trail of every staged write, newest first: filters in the address, the same as a file, and the check of its chain.
import { AUDIT_EVENTS, AUDIT_PAGE, type AuditEventType } from '@tether/contract'
import { type Html, html } from '../../../kernel/html/index.ts'
import { readInstant } from '../../../kernel/http/index.ts'
import {
  type Asked,
  choiceField,
  count,
  filtered,
  filterForm,
  given,
  type Outcome,
  type Page,
  PLACE,
  pageForm,
  type Reader,
  sameCall,
  table,
  textField,
  UUID,
  type Words,
} from '../../../pages/console-kit/index.ts'
import { ACTION_WORDS, instant, seen } from '../../../pages/kit/index.ts'
import {
  auditCsv,
  type Filters,
  type ListedRow,
  listEvents,
  listNewest,
  verifyChain,
} from '../../../writes/audit/index.ts'

const EN = {
  title: 'Audit',
  lead: 'What happened to staged writes, and who did it. Nothing here can be changed.',
  event: 'What happened',
  any: 'anything',
  tool: 'Tool',
  action: 'Id of the write',
  from: 'From (a day, UTC)',
  to: 'Before',
  show: 'Show',
  when: 'When',
  who: 'Who',
  about: 'Which write',
  nobody: '—',
  customer: (id: string) => `customer ${id}`,
  none: 'Nothing fits these filters.',
  noneYet: 'Nothing has happened yet. The first line appears with the first write that the assistant proposes.',
  older: 'Older ones',
  farther: 'Among these events nothing fits the filters. There are older ones.',
  lookFarther: 'Look there',
  archived: (id: string) =>
    `Events up to ${id} are no longer shown here. They are kept in the archive of whoever runs this service.`,
  csv: 'The same as a CSV file',
  csvMore: 'oldest first, at most 20,000 lines',
  check: 'Is it whole?',
  checkLead: 'Each line carries a hash over the one before. The check recomputes all of them.',
  checkButton: 'Check the chain',
  whole: (events: string) => `It is whole: ${events} events, each with the right hash.`,
  wholeAfter: (id: string) =>
    `They follow event ${id}, the last that is archived. The check does not read the archive.`,
  broken: (id: string, why: string) => `It is broken at event ${id}: ${why}.`,
}
const KA: typeof EN = {
  title: 'აუდიტი',
  lead: 'რა დაემართა შეთავაზებულ ცვლილებებს და ვინ რა გააკეთა. აქ ვერაფერს შეცვლით.',
  event: 'რა მოხდა',
  any: 'ნებისმიერი',
  tool: 'ინსტრუმენტი',
  action: 'ცვლილების ნომერი',
  from: 'დღიდან (UTC)',
  to: 'ამ დღემდე',
  show: 'ჩვენება',
  when: 'როდის',
  who: 'ვინ',
  about: 'რომელი ცვლილება',
  nobody: '—',
  customer: (id) => `მომხმარებელი ${id}`,
  none: 'ამ ფილტრებს არაფერი შეესაბამება.',
  noneYet: 'ჯერ არაფერი მომხდარა. პირველი სტრიქონი მაშინ გაჩნდება, როცა ასისტენტი პირველ ცვლილებას შემოგთავაზებთ.',
  older: 'უფრო ძველი',
  farther: 'ამ ჩანაწერებს შორის ფილტრებს არაფერი შეესაბამება. არის უფრო ძველიც.',
  lookFarther: 'იქ ძებნა',
  archived: (id) => `ჩანაწერები №${id}-მდე (ჩათვლით) აქ აღარ ჩანს. ისინი სერვისის ოპერატორის არქივშია შენახული.`,
  csv: 'იგივე CSV ფაილად',
  csvMore: 'ძველიდან ახლისკენ, მაქსიმუმ 20 000 სტრიქონი',
  check: 'მთლიანია?',
  checkLead: 'ყოველი სტრიქონი წინა სტრიქონის ჰეშს შეიცავს. შემოწმება ყველას თავიდან ითვლის.',
  checkButton: 'ჯაჭვის შემოწმება',
  whole: (events) => `მთლიანია: ${events} ჩანაწერი, თითოეულს სწორი ჰეში აქვს.`,
  wholeAfter: (id) => `ისინი ბოლო დაარქივებულ ჩანაწერს (№${id}) მოსდევს. თავად არქივს ეს შემოწმება არ კითხულობს.`,
  broken: (id, why) => `დარღვეულია ჩანაწერზე ${id}: ${why}.`,
}
const WORDS: Words<typeof EN> = { en: EN, ka: KA }

const ON_PAGE = 50
const MOST_FILES = 20

type Query = Asked['query']

const isEvent = (text: string | undefined): text is AuditEventType => AUDIT_EVENTS.some((event) => event === text)
function filtersOf({ event, tool, action, from, to }: Query): Filters {
  return {
    decision: isEvent(event) ? event : undefined,
    tool: given(tool),
    actionId: given(action),
    from: readInstant('from', given(from)),
    to: readInstant('to', given(to)),
  }
}

const FILTERS = ['event', 'tool', 'action', 'from', 'to'] as const

function filters({ language }: Reader, { at, query }: Asked): Html {
  const words = WORDS[language]
  const names = ACTION_WORDS[language].event
  const choices = [
    { value: '', label: words.any },
    ...AUDIT_EVENTS.map((event) => ({ value: event, label: names[event] })),
  ]
  const fields = [
    choiceField('event', words.event, choices, query.event ?? ''),
    textField({ id: 'tool', label: words.tool, value: query.tool ?? '' }),
  ]
  return filterForm(at, query, fields, words)
}

function eventRow({ language }: Reader, row: ListedRow): Html {
  const words = WORDS[language]
  const who = row.displayName ?? (row.subject === null ? words.nobody : words.customer(row.subject))
  const action =
    row.actionId !== null &&
    html`<span class="meta"><a href="?action=${row.actionId}"><code>${row.actionId.slice(0, 13)}…</code></a></span>`
  return html`<tr><th scope="row">${ACTION_WORDS[language].event[row.event]}${row.reason !== null && html`<span class="meta">${seen(row.reason)}</span>`}</th>
<td>${instant(row.occurredAt)}</td><td>${seen(who)}<span class="meta">${row.source}</span></td><td><code>${row.tool}</code>${action}</td></tr>`
}

async function listPart(reader: Reader, { at, query }: Asked): Promise<Html> {
  const { ctx, language } = reader
  const words = WORDS[language]
  const before = /^[1-9]\d{0,15}$/.test(query.before ?? '') ? Number(query.before) : null
  const { events, nextBefore, archived } = await listNewest(ctx, ctx.asking.tenantId, filtersOf(query), {
    before,
    limit: ON_PAGE,
  })
  const isFiltered = filtered(at, query, FILTERS) !== at
  const older = nextBefore === null ? null : filtered(at, query, FILTERS, { before: String(nextBefore) })
  if (events.length === 0 && older !== null)
    return html`<p class="lead">${words.farther} <a href="${older}">${words.lookFarther}</a></p>`
  const elsewhere = archived !== null && html`<p class="lead">${words.archived(count(archived.lastId, language))}</p>`
  if (events.length === 0)
    return html`${(isFiltered || !elsewhere) && html`<p class="lead">${isFiltered ? words.none : words.noneYet}</p>`}${elsewhere}`
  return html`${table(
    words.title,
    [words.event, words.when, words.who, words.about],
    events.map((event) => eventRow(reader, event)),
  )}
${older !== null && html`<p><a href="${older}">${words.older}</a></p>`}${elsewhere}
<p><a href="${filtered(`${at}/audit.csv`, query, FILTERS)}">${words.csv}</a> <span class="meta">${words.csvMore}</span></p>
${sameCall({ language }, { method: 'GET', path: '/v1/audit' })}`
}

/** Whole pages of the API in one file, each written before the next is read; the line of the header stands once. */
async function csvOf({ ctx }: Reader, query: Query): Promise<string> {
  let text = ''
  let after: number | null = 0
  for (let page = 0; page < MOST_FILES && after !== null; page++) {
    const read: Awaited<ReturnType<typeof listEvents>> = await listEvents(ctx, ctx.asking.tenantId, filtersOf(query), {
      after,
      limit: AUDIT_PAGE.most,
    })
    const lines = auditCsv(read.events)
    text += text === '' ? lines : lines.slice(lines.indexOf('\r\n') + 2)
    after = read.nextAfter
  }
  return text
}

export const auditPage = (): Page => ({
  path: '/console/audit',
  name: { en: EN.title, ka: KA.title },
  group: 'run',
  order: 4,
  asks: { event: AUDIT_EVENTS, tool: 'text', action: UUID, from: 'text', to: 'text', before: PLACE },
  async show(reader, asked) {
    const words = WORDS[reader.language]
    const body = html`<h1>${words.title}</h1><p class="lead">${words.lead}</p>
${filters(reader, asked)}
${await listPart(reader, asked)}
<section class="box"><h2>${words.check}</h2><p>${words.checkLead}</p>
${pageForm(reader, asked, { name: 'verify', button: words.checkButton, quiet: true, same: { method: 'GET', path: '/v1/audit/verify' } })}</section>`
    return { title: words.title, body }
  },
  files: {
    'audit.csv': async (reader, query) => ({ type: 'text/csv', content: await csvOf(reader, query) }),
  },
  forms: {
    async verify({ ctx, language }, { head }): Promise<Outcome> {
      const words = WORDS[language]
      const checked = await verifyChain(ctx, ctx.asking.tenantId, { signal: head.signal })
      if (checked.ok) {
        const { events, archived } = checked
        const after = archived !== null && ` ${words.wholeAfter(count(archived.lastId, language))}`
        return { kind: 'shown', good: true, note: html`<p>${words.whole(count(events, language))}${after}</p>` }
      }
      const why = html`<p>${words.broken(String(checked.at), checked.reason)}</p>`
      return { kind: 'shown', good: false, note: why }
    },
  },
})
