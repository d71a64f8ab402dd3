// Who may decide: the people, the policy, and who could approve one of the writes that really wait.

import { type Html, html } from '../../../kernel/html/index.ts'
import { cut, JsonFault, parseSentJson, stringifyJson, type Writable } from '../../../kernel/json/index.ts'
import {
  type Asked,
  afterOf,
  areaField,
  badge,
  type ConsoleRooms,
  choiceField,
  note,
  type Outcome,
  type Page,
  pageForm,
  type Reader,
  type Take,
  table,
  textField,
  tokenField,
  typedOr,
  UUID,
  type Words,
} from '../../../pages/console-kit/index.ts'
import { seen, sent } from '../../../pages/kit/index.ts'
import { type ActionRow, judgedAction, storedArguments, writeOf } from '../../../writes/actions/index.ts'
import {
  type ApprovalParts,
  listUsers,
  readPolicy,
  registerPolicy,
  registerUsers,
  removePerson,
  whoMayApprove,
} from '../../../writes/approvals/index.ts'
import { inWordsOf, listWaiting } from '../../../writes/decisions/index.ts'
import { invite } from '../../../writes/people/index.ts'

const EN = {
  title: 'People and policy',
  none: 'Nobody is registered yet, so nobody can decide in the inbox.',
  some: (count: number) => (count === 1 ? 'One person may decide.' : `${count} people may decide.`),
  people: 'People',
  name: 'Name',
  address: 'Mail address',
  role: 'Role',
  state: 'State',
  change: 'Change',
  active: 'active',
  inactive: 'inactive',
  noAddress: 'no address: cannot sign in',
  deactivate: 'Set inactive',
  activate: 'Set active',
  remove: 'Remove',
  more: (rest: number) => `and ${rest} more, in GET /v1/users`,
  changed: 'Changed. It holds from the next request on.',
  invite: 'Invite somebody',
  inviteLead: 'We register the person and mail the way to the inbox. The mail signs nobody in.',
  language: 'Language of the mail',
  georgian: 'Georgian',
  english: 'English',
  inviteButton: 'Invite',
  invited: {
    queued: (email: string) => `${email} is registered, and the mail is on its way.`,
    held: (email: string) => `${email} is registered. The mail waits until the address of the workspace is confirmed.`,
    not_sent: (email: string) => `${email} is registered. No mail was sent.`,
  },
  policy: 'Policy',
  noPolicy: 'No policy is in force: any one registered person may approve any write.',
  inForce: (version: number) => `Version ${version} is in force.`,
  policyLabel: 'Policy in JSON',
  policyHint: 'Rules from top to bottom; the first that fits a write says which roles approve it, and how many people.',
  policyButton: 'Save the policy',
  policySaid: 'Saved. It holds for whatever waits, too.',
  notJson: 'This is not JSON:',
  warnings: 'It is in force, but look at these:',
  trial: 'Who could approve this?',
  trialLead: 'Tried on a write that really waits, with the policy and the people as they are now.',
  trialNone: 'Nothing waits at the moment. As soon as something does, you can try it here.',
  trialLabel: 'A write that waits',
  trialButton: 'Try it',
  could: 'These could approve it now:',
  nobody: 'Nobody could approve it now. Look at the roles of the policy and at who is active.',
}
const KA: typeof EN = {
  title: 'ადამიანები და წესები',
  none: 'ჯერ არავინ არის რეგისტრირებული, ამიტომ გადაწყვეტილებას ვერავინ მიიღებს.',
  some: (count) => `გადაწყვეტილების მიღება შეუძლია ${count} ადამიანს.`,
  people: 'ადამიანები',
  name: 'სახელი',
  address: 'ელფოსტა',
  role: 'როლი',
  state: 'მდგომარეობა',
  change: 'მოქმედება',
  active: 'აქტიური',
  inactive: 'გათიშული',
  noAddress: 'ელფოსტის გარეშე ვერ შევა',
  deactivate: 'გათიშვა',
  activate: 'გააქტიურება',
  remove: 'ამოშლა',
  more: (rest) => `და კიდევ ${rest}, იხილეთ GET /v1/users`,
  changed: 'შეიცვალა. მოქმედებს შემდეგი მოთხოვნიდან.',
  invite: 'მოწვევა',
  inviteLead: 'ადამიანს დავარეგისტრირებთ და გადაწყვეტილებების გვერდის მისამართს გავუგზავნით. წერილით ჯერ არავინ შედის.',
  language: 'წერილის ენა',
  georgian: 'ქართული',
  english: 'ინგლისური',
  inviteButton: 'მოწვევა',
  invited: {
    queued: (email) => `${email} დარეგისტრირდა, წერილი გზაშია.`,
    held: (email) => `${email} დარეგისტრირდა. წერილი გაიგზავნება, როცა სამუშაო სივრცის ელფოსტა დადასტურდება.`,
    not_sent: (email) => `${email} დარეგისტრირდა. წერილი არ გაგზავნილა.`,
  },
  policy: 'წესები',
  noPolicy: 'წესები დადგენილი არ არის: ნებისმიერ რეგისტრირებულ ადამიანს შეუძლია ნებისმიერი ცვლილების დამტკიცება.',
  inForce: (version) => `მოქმედებს ვერსია ${version}.`,
  policyLabel: 'წესები JSON-ში',
  policyHint:
    'წესები ზემოდან ქვემოთ იკითხება: პირველი შესაბამისი წესი ამბობს, რომელი როლები ამტკიცებს და რამდენი ადამიანია საჭირო.',
  policyButton: 'წესების შენახვა',
  policySaid: 'შენახულია. მოქმედებს იმაზეც, რაც უკვე ელოდება.',
  notJson: 'ეს JSON არ არის:',
  warnings: 'წესები მოქმედებს, მაგრამ ამას გადახედეთ:',
  trial: 'ვინ შეძლებდა ამის დამტკიცებას?',
  trialLead: 'მოწმდება ცვლილებაზე, რომელიც მართლა ელოდება, ახლანდელი წესებითა და ადამიანებით.',
  trialNone: 'ახლა არაფერი ელოდება. როგორც კი რამე დაელოდება, აქ შეძლებთ შემოწმებას.',
  trialLabel: 'ცვლილება, რომელიც ელოდება',
  trialButton: 'შემოწმება',
  could: 'ახლა დამტკიცებას შეძლებდა:',
  nobody: 'ახლა ამას ვერავინ დაამტკიცებს. გადახედეთ წესების როლებს და ვინ არის აქტიური.',
}
const WORDS: Words<typeof EN> = { en: EN, ka: KA }

const MOST_SHOWN = 100
const MOST_TRIED = 20
const LONGEST_CHOICE = 80

type Person = Awaited<ReturnType<typeof listUsers>>['users'][number]
type Policy = Awaited<ReturnType<typeof readPolicy>>

const EXAMPLE = { rules: [{ risk: ['high'], roles: ['manager'], approvers: 2 }], requesterMayApprove: false }

/** A small form of one person. */
const personForm = (reader: Reader, { at }: Asked, form: 'activate' | 'deactivate' | 'remove', person: Person): Html =>
  html`<form method="post" action="${at}/${form}">${tokenField(reader.formToken)}<input type="hidden" name="id" value="${person.id}"><button class="plain">${WORDS[reader.language][form]}<span class="hidden"> ${person.displayName}</span></button></form>`

function personRow(reader: Reader, asked: Asked, person: Person): Html {
  const words = WORDS[reader.language]
  const { displayName, email, role, active } = person
  return html`<tr><th scope="row">${seen(displayName)}</th><td>${email ?? html`<span class="meta">${words.noAddress}</span>`}</td><td>${seen(role)}</td>
<td>${badge(active ? 'good' : 'plain', active ? words.active : words.inactive)}</td>
<td>${personForm(reader, asked, active ? 'deactivate' : 'activate', person)}${personForm(reader, asked, 'remove', person)}</td></tr>`
}

const CHANGES = ['activate', 'deactivate', 'remove'] as const

function peoplePart(reader: Reader, asked: Asked, people: readonly Person[]): Html {
  const words = WORDS[reader.language]
  const after = CHANGES.map((name) => afterOf(asked, name)).find((one) => one !== null)
  const isSaid = CHANGES.some((name) => name === asked.query.said)
  const rest = people.length - MOST_SHOWN
  return html`<section class="box" id="form-activate"><h2>${words.people}</h2>
${after !== undefined && after !== null && note(after.good, after.note)}${isSaid && note(true, words.changed)}
${
  people.length > 0 &&
  table(
    words.people,
    [words.name, words.address, words.role, words.state, words.change],
    people.slice(0, MOST_SHOWN).map((one) => personRow(reader, asked, one)),
  )
}
${rest > 0 && html`<p class="meta">${words.more(rest)}</p>`}</section>`
}

function invitePart(reader: Reader, asked: Asked): Html {
  const words = WORDS[reader.language]
  const now = (name: string, preset = '') => typedOr(asked, 'invite', name, preset)
  const choices = [
    { value: 'ka', label: words.georgian },
    { value: 'en', label: words.english },
  ]
  const [email, role] = [now('email'), now('role', 'manager')]
  return html`<section class="box"><h2>${words.invite}</h2><p>${words.inviteLead}</p>${pageForm(reader, asked, {
    name: 'invite',
    fields: html`${textField({ id: 'email', label: words.address, type: 'email', value: email, required: true })}${textField({ id: 'displayName', label: words.name, value: now('displayName') })}${textField({ id: 'role', label: words.role, value: role })}${choiceField('language', words.language, choices, now('language', reader.language))}`,
    button: words.inviteButton,
    same: { method: 'POST', path: '/v1/users/invitations', body: { email: email || 'ana@shop.example', role } },
  })}</section>`
}

/** With a line for each rule, and every number as it was given. */
function onePerLine({ rules, ...switches }: { readonly rules: readonly Writable[] }): string {
  const rest = Object.entries(switches).map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`)
  const lines = rules.map((rule) => `    ${stringifyJson(rule)}`)
  return `{\n${[`  "rules": [\n${lines.join(',\n')}\n  ]`, ...rest].join(',\n')}\n}`
}

function policyPart(reader: Reader, asked: Asked, policy: Policy): Html {
  const words = WORDS[reader.language]
  const { rules, requesterMayApprove, customerSelfConfirm, remindAtHalf } = policy
  const present = { rules, requesterMayApprove, customerSelfConfirm, remindAtHalf }
  const written = onePerLine(policy.inForce ? present : EXAMPLE)
  return html`<section class="box"><h2>${words.policy}</h2><p>${policy.inForce ? words.inForce(policy.version) : words.noPolicy}</p>${pageForm(
    reader,
    asked,
    {
      name: 'policy',
      fields: areaField({
        id: 'policy',
        label: words.policyLabel,
        hint: words.policyHint,
        value: typedOr(asked, 'policy', 'policy', written),
        rows: 14,
        required: true,
      }),
      button: words.policyButton,
      said: words.policySaid,
      same: { method: 'PUT', path: '/v1/policy', body: '@policy.json' },
    },
  )}</section>`
}

type Trial = { readonly actions: readonly ActionRow[]; readonly rooms: ConsoleRooms }

async function couldApprove({ ctx, language }: Reader, { rooms }: Trial, action: ActionRow): Promise<Html> {
  const words = WORDS[language]
  const judged = judgedAction(action, writeOf(await rooms.catalogs.of(ctx), action), storedArguments(action))
  const people = await whoMayApprove(ctx.db, ctx.asking.tenantId, judged)
  if (people.length === 0) return note(false, words.nobody)
  const names = people
    .slice(0, MOST_SHOWN)
    .map(({ displayName, role }) => html`<li>${seen(displayName)} <span class="meta">${seen(role)}</span></li>`)
  return html`<div class="note good" role="status" tabindex="-1" autofocus><p>${words.could}</p><ul>${names}</ul></div>`
}

async function trialPart(reader: Reader, asked: Asked, trial: Trial): Promise<Html> {
  const { ctx, language } = reader
  const words = WORDS[language]
  const listed = await inWordsOf(ctx, trial.rooms.catalogs, language, trial.actions)
  const choices = listed.map(({ actionId, title, line }) => ({
    value: actionId,
    label: cut(line === '' ? title : `${title} (${line})`, LONGEST_CHOICE),
  }))
  const tried = trial.actions.find(({ actionId }) => actionId === asked.query.trial)
  return html`<section class="box" id="trial"><h2>${words.trial}</h2><p>${words.trialLead}</p>
${
  choices.length === 0
    ? html`<p class="meta">${words.trialNone}</p>`
    : html`<form method="get" action="${asked.at}" class="filters"><div>${choiceField('trial', words.trialLabel, choices, tried?.actionId ?? '')}</div><button class="quiet">${words.trialButton}</button></form>`
}
${tried !== undefined && (await couldApprove(reader, trial, tried))}</section>`
}

const idOf = (text: string): number => (/^[1-9]\d{0,15}$/.test(text) ? Number(text) : 0)

const refusedText = (text: string): Outcome => ({
  kind: 'shown',
  good: false,
  note: html`<p lang="en">${seen(text)}</p>`,
})

const peopleForms = ({ toolsOf }: ApprovalParts): Readonly<Record<string, Take>> => {
  const setActive =
    (active: boolean) =>
    async ({ ctx }: Reader, form: Parameters<typeof sent>[0]): Promise<Outcome> => {
      const changed = await registerUsers(ctx, [{ id: idOf(sent(form, 'id')), active }], toolsOf)
      return changed.registered ? { kind: 'done' } : refusedText(changed.error)
    }
  return {
    async invite({ ctx, language }, { form }) {
      const given = (name: string) => sent(form, name).trim()
      const [displayName, role] = [given('displayName'), given('role')]
      const { user, status } = await invite(ctx, {
        email: given('email'),
        language: given('language'),
        ...(displayName === '' ? {} : { displayName }),
        ...(role === '' ? {} : { role }),
      })
      const say = WORDS[language].invited[status === 'queued' || status === 'held' ? status : 'not_sent']
      return { kind: 'shown', good: true, note: html`<p>${say(user.email ?? given('email'))}</p>` }
    },
    activate: (reader, { form }) => setActive(true)(reader, form),
    deactivate: (reader, { form }) => setActive(false)(reader, form),
    async remove({ ctx }, { form }) {
      await removePerson(ctx, idOf(sent(form, 'id')), toolsOf)
      return { kind: 'done' }
    },
    async policy(reader, { form }) {
      const words = WORDS[reader.language]
      try {
        const made = await registerPolicy(reader.ctx, parseSentJson(sent(form, 'policy')), toolsOf)
        if (!made.registered) return refusedText(made.error)
        if (made.warnings.length === 0) return { kind: 'done' }
        const list = made.warnings.map(({ message }) => html`<li lang="en">${seen(message)}</li>`)
        return { kind: 'shown', good: true, note: html`<p>${words.warnings}</p><ul>${list}</ul>` }
      } catch (error) {
        if (!(error instanceof JsonFault)) throw error
        return {
          kind: 'shown',
          good: false,
          note: html`<p>${words.notJson} <span lang="en">${error.message}</span></p>`,
        }
      }
    },
  }
}

export const peoplePage = (rooms: ConsoleRooms, parts: ApprovalParts): Page => ({
  path: '/console/people',
  name: { en: EN.title, ka: KA.title },
  group: 'people',
  order: 1,
  asks: { trial: UUID },
  async show(reader, asked) {
    const words = WORDS[reader.language]
    const waiting = { tool: null, scopeId: null, before: null, limit: MOST_TRIED }
    const [{ users }, policy, { actions }] = await Promise.all([
      listUsers(reader.ctx),
      readPolicy(reader.ctx),
      listWaiting(reader.ctx, waiting),
    ])
    const active = users.filter((one) => one.active).length
    const body = html`<h1>${words.title}</h1><p class="lead">${active === 0 ? words.none : words.some(active)}</p>
${peoplePart(reader, asked, users)}${invitePart(reader, asked)}${policyPart(reader, asked, policy)}${await trialPart(reader, asked, { actions, rooms })}`
    return { title: words.title, body }
  },
  forms: peopleForms(parts),
})
