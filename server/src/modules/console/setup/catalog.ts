// What a model may use: the tools as they are registered, another catalog in their place, the versions, and how two of them differ.

import { type Html, html } from '../../../kernel/html/index.ts'
import { cut, inTurns, JsonFault, parseSentJson, turnOf, type Work } from '../../../kernel/json/index.ts'
import {
  type Asked,
  areaField,
  badge,
  type ConsoleRooms,
  choiceField,
  count,
  type Outcome,
  type Page,
  PLACE,
  type Posted,
  pageForm,
  type Reader,
  table,
  typedOr,
  type Words,
} from '../../../pages/console-kit/index.ts'
import { instant, seen, sent } from '../../../pages/kit/index.ts'
import { toolTokens } from '../../../talk/chat/index.ts'
import {
  type CatalogDifference,
  type CatalogParts,
  catalogVersions,
  compareVersions,
  mostCatalogCharacters,
  registerCatalog,
  type Tool,
  tryCatalog,
} from '../../../tools/catalog/index.ts'
import { titleOf } from '../../../writes/writes/index.ts'

const EN = {
  title: 'Catalog',
  none: 'No tool is registered, so the assistant can only talk.',
  some: (tools: string, writes: string) =>
    `${tools} tools, of which ${writes} can write: what they would change waits for a person.`,
  tokens: (chat: string, agent: string) =>
    `They take about ${chat} tokens of each turn on your site, and ${agent} of each turn of an agent.`,
  tool: 'Tool',
  does: 'Does',
  where: 'Offered to',
  weight: 'Tokens',
  read: 'reads',
  write: 'writes',
  chat: 'site',
  agent: 'agents',
  nobody: 'nobody',
  customer: 'needs a signed-in customer',
  risk: { low: 'low risk', elevated: 'elevated risk', high: 'high risk' },
  more: (rest: number) => `and ${rest} more, in GET /v1/tools`,
  paste: 'Register another catalog',
  pasteHint: 'A JSON array of tools, as PUT /v1/tools takes it. It replaces the present one entirely.',
  label: 'Catalog in JSON',
  check: 'Check only',
  register: 'Register',
  valid: (tools: number, writes: number) =>
    `This catalog is good: ${tools} tools, of which ${writes} can write. Nothing was registered yet.`,
  warnings: 'It is registered as it is, but look at these:',
  registered: 'Registered. The next turn uses it.',
  notJson: 'This is not JSON:',
  faults: (number: number) =>
    number === 1 ? 'One thing is wrong. Nothing was changed.' : `${number} things are wrong. Nothing was changed.`,
  line: (number: number) => `line ${number}`,
  versions: 'Versions',
  version: 'Version',
  when: 'Registered',
  tools: 'Tools',
  writes: 'Writes',
  now: 'in use',
  compare: 'Compare',
  from: 'From version',
  to: 'to version',
  gone: 'The document of one of these versions is no longer kept.',
  alike: 'Both versions say the same.',
  added: 'Added',
  removed: 'Removed',
  changed: 'Changed',
  before: 'before',
  after: 'after',
}
const KA: typeof EN = {
  title: 'კატალოგი',
  none: 'ინსტრუმენტი არ არის რეგისტრირებული, ამიტომ ასისტენტს მხოლოდ საუბარი შეუძლია.',
  some: (tools, writes) =>
    `${tools} ინსტრუმენტი, აქედან ${writes} მონაცემებს ცვლის: ისინი ადამიანის თანხმობას ელოდება.`,
  tokens: (chat, agent) => `თქვენს საიტზე თითო პასუხს დაახლოებით ${chat} ტოკენი ემატება, აგენტისას ${agent}.`,
  tool: 'ინსტრუმენტი',
  does: 'რას აკეთებს',
  where: 'ვის სთავაზობს',
  weight: 'ტოკენი',
  read: 'კითხულობს',
  write: 'ცვლის',
  chat: 'საიტს',
  agent: 'აგენტებს',
  nobody: 'არავის',
  customer: 'შესულ მომხმარებელს მოითხოვს',
  risk: { low: 'დაბალი რისკი', elevated: 'მომატებული რისკი', high: 'მაღალი რისკი' },
  more: (rest) => `და კიდევ ${rest}, იხილეთ GET /v1/tools`,
  paste: 'სხვა კატალოგის რეგისტრაცია',
  pasteHint: 'ინსტრუმენტების JSON მასივი, როგორსაც PUT /v1/tools იღებს. არსებულს მთლიანად შეცვლის.',
  label: 'კატალოგი JSON-ში',
  check: 'მხოლოდ შემოწმება',
  register: 'რეგისტრაცია',
  valid: (tools, writes) =>
    `კატალოგი გამართულია: ${tools} ინსტრუმენტი, აქედან ${writes} ცვლის მონაცემებს. ჯერ არაფერი დარეგისტრირებულა.`,
  warnings: 'ასეც დარეგისტრირდება, მაგრამ ამას გადახედეთ:',
  registered: 'დარეგისტრირდა. მოქმედებს შემდეგი პასუხიდან.',
  notJson: 'ეს JSON არ არის:',
  faults: (number) => `ნაპოვნია ${number} შეცდომა. არაფერი შეცვლილა.`,
  line: (number) => `სტრიქონი ${number}`,
  versions: 'ვერსიები',
  version: 'ვერსია',
  when: 'დარეგისტრირდა',
  tools: 'ინსტრუმენტი',
  writes: 'ცვლის',
  now: 'მოქმედი',
  compare: 'შედარება',
  from: 'ვერსია',
  to: 'შეადარეთ ვერსიას',
  gone: 'ერთ-ერთი ვერსიის ტექსტი აღარ ინახება.',
  alike: 'ორივე ვერსია ერთნაირია.',
  added: 'დაემატა',
  removed: 'მოაკლდა',
  changed: 'შეიცვალა',
  before: 'იყო',
  after: 'არის',
}
const WORDS: Words<typeof EN> = { en: EN, ka: KA }

const MOST_SHOWN = 60
/** About 3 ms of writing them out. */
const TOKENS_PER_TURN = 64 * 1024
const MOST_VERSIONS = 20
const MOST_FAULTS = 50
const LONGEST_VALUE = 600

/** In turns, because the tools of a catalog may be megabytes together. */
function* weighAll(tools: readonly Tool[]): Work<void> {
  const isTurnOver = turnOf(TOKENS_PER_TURN)
  for (const tool of tools) if (isTurnOver(toolTokens(tool))) yield
}

const sumOf = (tools: readonly Tool[]): number => tools.reduce((sum, tool) => sum + toolTokens(tool), 0)

function toolRow({ language }: Reader, tool: Tool): Html {
  const words = WORDS[language]
  const { isWrite, risk, chatEligible, agentEligible, requiresCustomer } = tool
  const surfaces = [chatEligible && words.chat, agentEligible && words.agent].filter((one) => one !== false)
  const look = risk === 'high' ? 'bad' : risk === 'elevated' ? 'warn' : 'plain'
  return html`<tr><th scope="row"><code>${tool.name}</code><span class="meta">${seen(titleOf(tool))}</span></th>
<td>${isWrite ? html`${words.write} ${badge(look, words.risk[risk])}` : words.read}</td>
<td>${surfaces.length === 0 ? words.nobody : surfaces.join(', ')}${requiresCustomer && html`<span class="meta">${words.customer}</span>`}</td>
<td>${count(toolTokens(tool), language)}</td></tr>`
}

function toolsPart(reader: Reader, tools: readonly Tool[]): Html {
  const { language } = reader
  const words = WORDS[language]
  if (tools.length === 0) return html`<p class="lead">${words.none}</p>`
  const writes = tools.filter(({ isWrite }) => isWrite).length
  const [chat, agent] = [
    sumOf(tools.filter((one) => one.chatEligible)),
    sumOf(tools.filter((one) => one.agentEligible)),
  ]
  const rest = tools.length - MOST_SHOWN
  return html`<p class="lead">${words.some(count(tools.length, language), count(writes, language))} ${words.tokens(count(chat, language), count(agent, language))}</p>
${table(
  words.title,
  [words.tool, words.does, words.where, words.weight],
  tools.slice(0, MOST_SHOWN).map((tool) => toolRow(reader, tool)),
)}
${rest > 0 && html`<p class="meta">${words.more(rest)}</p>`}`
}

const registerForm = (reader: Reader, asked: Asked): Html => {
  const words = WORDS[reader.language]
  const sent = asked.after?.form ?? 'register'
  return html`<section class="box"><h2>${words.paste}</h2>
${pageForm(reader, asked, {
  name: 'register',
  also: { name: 'check', button: words.check },
  fields: areaField({
    id: 'tools',
    label: words.label,
    hint: words.pasteHint,
    value: typedOr(asked, sent, 'tools', ''),
    required: true,
  }),
  button: words.register,
  said: words.registered,
  same: { method: 'PUT', path: '/v1/tools', body: '@catalog.json' },
})}</section>`
}

async function versionsPart(reader: Reader, asked: Asked): Promise<Html> {
  const { ctx, language } = reader
  const words = WORDS[language]
  const versions = await catalogVersions(ctx, MOST_VERSIONS)
  const newest = versions[0]?.version
  if (newest === undefined) return html``
  const rows = versions.map(
    (one) =>
      html`<tr><th scope="row">${one.version}${one.version === newest && html` ${badge('good', words.now)}`}</th><td>${instant(one.registeredAt)}</td><td>${one.toolCount}</td><td>${one.writeToolCount}</td></tr>`,
  )
  const choices = versions
    .filter(({ kept }) => kept)
    .map(({ version }) => ({ value: String(version), label: String(version) }))
  const [from, to] = [numberOf(asked.query.from), numberOf(asked.query.to)]
  const compared = from === null || to === null ? undefined : await compareVersions(ctx, from, to)
  return html`<section class="box"><h2>${words.versions}</h2>
${table(words.versions, [words.version, words.when, words.tools, words.writes], rows)}
${
  choices.length > 1 &&
  html`<form method="get" action="${asked.at}" class="filters">
<div>${choiceField('from', words.from, choices, String(from ?? choices[1]?.value))}</div>
<div>${choiceField('to', words.to, choices, String(to ?? newest))}</div>
<button class="quiet">${words.compare}</button></form>`
}
${compared !== undefined && html`<div id="difference" tabindex="-1" autofocus>${compared === null ? html`<p>${words.gone}</p>` : differencePart(reader, compared)}</div>`}</section>`
}

const numberOf = (text: string | undefined): number | null => (/^\d{1,9}$/.test(text ?? '') ? Number(text) : null)

function differencePart({ language }: Reader, { added, removed, changed }: CatalogDifference): Html {
  const words = WORDS[language]
  if (added.length + removed.length + changed.length === 0) return html`<p>${words.alike}</p>`
  const names = (heading: string, list: readonly string[]) =>
    list.length > 0 &&
    html`<h3>${heading}</h3><ul>${list.slice(0, MOST_SHOWN).map((name) => html`<li><code>${name}</code></li>`)}</ul>`
  const value = (heading: string, text: string | null) =>
    text !== null && html`<dt>${heading}</dt><dd><code>${seen(cut(text, LONGEST_VALUE))}</code></dd>`
  return html`${names(words.added, added)}${names(words.removed, removed)}
${changed.length > 0 && html`<h3>${words.changed}</h3>`}
${changed
  .slice(0, MOST_SHOWN)
  .map(({ tool, members }) =>
    members.map(
      ({ member, before, after }) =>
        html`<p><code>${tool}</code> · <code>${member}</code></p><dl>${value(words.before, before)}${value(words.after, after)}</dl>`,
    ),
  )}`
}

type Fault = { readonly tool: string | null; readonly member: string | null; readonly message: string }

/**
 * In which line of the text that was pasted each of these tools stands, found in one pass. A name that could not be one is told in
 * quotes.
 */
function linesOf(text: string, tools: readonly (string | null)[]): ReadonlyMap<string, number> {
  const sought = new Map(tools.flatMap((tool) => (tool === null ? [] : [[tool.replace(/^"|"$/g, ''), tool]])))
  const found = new Map<string, number>()
  let [line, from] = [1, 0]
  for (const { 1: name = '', index } of text.matchAll(/"name"\s*:\s*"([^"]*)"/g)) {
    const tool = sought.get(name)
    if (tool === undefined) continue
    for (let at = text.indexOf('\n', from); at >= 0 && at < index; at = text.indexOf('\n', at + 1)) line++
    from = index
    found.set(tool, line)
    sought.delete(name)
    if (sought.size === 0) break
  }
  return found
}

function faultsNote({ language }: Reader, text: string, errors: readonly Fault[]): Outcome {
  const words = WORDS[language]
  const listed = errors.slice(0, MOST_FAULTS)
  const lines = linesOf(
    text,
    listed.map(({ tool }) => tool),
  )
  const items = listed.map(({ tool, member, message }) => {
    const line = tool === null ? undefined : lines.get(tool)
    return html`<li>${line !== undefined && html`${words.line(line)} · `}${tool !== null && html`<code>${tool}</code>`}${member !== null && html` <code>${member}</code>`}: <span lang="en">${seen(message)}</span></li>`
  })
  return { kind: 'shown', good: false, note: html`<p>${words.faults(errors.length)}</p><ul>${items}</ul>` }
}

/** Undefined with the note of why it is none. */
function readJson({ language }: Reader, text: string): { readonly value: unknown } | Outcome {
  try {
    return { value: parseSentJson(text, { maxLength: mostCatalogCharacters }) }
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error
    const note = html`<p>${WORDS[language].notJson} <span lang="en">${error.message}</span></p>`
    return { kind: 'shown', good: false, note }
  }
}

const warningList = (warnings: readonly { tool?: string; message: string }[]): Html =>
  html`<ul>${warnings.slice(0, MOST_FAULTS).map(({ tool, message }) => html`<li>${tool !== undefined && tool !== '' && html`<code>${tool}</code>: `}<span lang="en">${seen(message)}</span></li>`)}</ul>`

export const catalogPage = (rooms: ConsoleRooms, parts: CatalogParts): Page => ({
  path: '/console/catalog',
  name: { en: EN.title, ka: KA.title },
  group: 'setup',
  order: 1,
  asks: { from: PLACE, to: PLACE },
  bodyLimit: 3 * mostCatalogCharacters,
  async show(reader, asked) {
    const { title } = WORDS[reader.language]
    const [{ tools }, versions] = await Promise.all([rooms.catalogs.of(reader.ctx), versionsPart(reader, asked)])
    await inTurns(weighAll(tools))
    return { title, body: html`<h1>${title}</h1>${toolsPart(reader, tools)}${registerForm(reader, asked)}${versions}` }
  },
  forms: {
    async register(reader: Reader, { form }: Posted): Promise<Outcome> {
      const text = sent(form, 'tools')
      const read = readJson(reader, text)
      if (!('value' in read)) return read
      const made = await registerCatalog(reader.ctx, read.value, parts)
      if (!made.registered) return faultsNote(reader, text, made.errors)
      const words = WORDS[reader.language]
      if (made.warnings.length === 0) return { kind: 'done' }
      const note = html`<p>${words.registered} ${words.warnings}</p>${warningList(made.warnings)}`
      return { kind: 'shown', good: true, note }
    },
    async check(reader: Reader, { form }: Posted): Promise<Outcome> {
      const text = sent(form, 'tools')
      const read = readJson(reader, text)
      if (!('value' in read)) return read
      const tried = await tryCatalog(reader.ctx, read.value, parts)
      if (!tried.valid) return faultsNote(reader, text, tried.errors)
      const words = WORDS[reader.language]
      const { toolCount, writeToolCount, warnings } = tried
      const more = warnings.length > 0 && html`<p>${words.warnings}</p>${warningList(warnings)}`
      return { kind: 'shown', good: true, note: html`<p>${words.valid(toolCount, writeToolCount)}</p>${more}` }
    },
  },
})
