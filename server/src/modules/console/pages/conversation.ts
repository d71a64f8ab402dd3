// One conversation: what was said, called and proposed, and what became of it. It can be erased.

import { type Html, html } from '../../../kernel/html/index.ts'
import { refuse } from '../../../kernel/http/index.ts'
import {
  badge,
  blockPart,
  checkField,
  type Page,
  pageForm,
  type Reader,
  type Words,
} from '../../../pages/console-kit/index.ts'
import { ACTION_WORDS, instant, seen, sent } from '../../../pages/kit/index.ts'
import { deleteSession } from '../../../talk/chat/index.ts'
import { readConversation } from '../../../talk/conversations/index.ts'

const EN = {
  title: 'A conversation',
  lead: (turns: number) => (turns === 1 ? 'One turn is shown.' : `${turns} turns are shown, the oldest first.`),
  customer: 'Customer',
  visitor: 'Visitor',
  assistant: 'Assistant',
  silent: 'The assistant was silent: a person had taken over.',
  tools: 'Called',
  ms: 'ms',
  proposed: 'Proposed',
  took: 'in place of an earlier proposal',
  verified: 'the effect was seen',
  notVerified: 'the effect was not seen',
  handedBy: {
    assistant: 'The assistant handed it to a person',
    visitor: 'The visitor asked for a person',
    unverified_outcome: 'It went to a person, because the effect of a write was not seen',
  },
  up: 'rated good',
  down: 'rated bad',
  takenOver: (name: string) => `${name} has taken over; the assistant is silent.`,
  older: 'Earlier turns',
  all: 'All conversations',
  erase: 'Erase this conversation',
  eraseLead: 'Everything that was said is deleted for ever. What it proposed stays in the trail, without the words.',
  sure: 'Yes, erase it for ever',
  eraseButton: 'Erase',
}
const KA: typeof EN = {
  title: 'საუბარი',
  lead: (turns) => `ნაჩვენებია ${turns} რეპლიკა, ძველიდან ახლისკენ.`,
  customer: 'მომხმარებელი',
  visitor: 'ვიზიტორი',
  assistant: 'ასისტენტი',
  silent: 'ასისტენტი დუმდა: საუბარი ადამიანს ჰქონდა გადაბარებული.',
  tools: 'გამოიძახა',
  ms: 'მწმ',
  proposed: 'შესთავაზა',
  took: 'ადრინდელი შეთავაზების ნაცვლად',
  verified: 'შედეგი დადასტურდა',
  notVerified: 'შედეგი არ გამოჩნდა',
  handedBy: {
    assistant: 'ასისტენტმა ადამიანს გადასცა',
    visitor: 'ვიზიტორმა ადამიანი მოითხოვა',
    unverified_outcome: 'ადამიანს გადაეცა, რადგან ცვლილების შედეგი არ გამოჩნდა',
  },
  up: 'კარგი შეფასება',
  down: 'ცუდი შეფასება',
  takenOver: (name) => `საუბარი გადაიბარა: ${name}. ასისტენტი დუმს.`,
  older: 'უფრო ადრინდელი',
  all: 'ყველა საუბარი',
  erase: 'ამ საუბრის წაშლა',
  eraseLead: 'ყველაფერი, რაც ითქვა, სამუდამოდ წაიშლება. შეთავაზებული ცვლილებები აუდიტში დარჩება, სიტყვების გარეშე.',
  sure: 'დიახ, სამუდამოდ წაიშალოს',
  eraseButton: 'წაშლა',
}
const WORDS: Words<typeof EN> = { en: EN, ka: KA }

const ON_PAGE = 50

type Transcript = Awaited<ReturnType<typeof readConversation>>
type Turn = Transcript['turns'][number]
type Message = Transcript['messages'][number]

function proposalPart({ language }: Reader, one: Turn['proposals'][number]): Html {
  const words = WORDS[language]
  const { status } = one
  const look = status === 'executed' ? 'good' : status === 'pending' || status === 'executing' ? 'plain' : 'warn'
  const effect =
    one.verificationStatus !== null &&
    html` · ${one.verificationStatus === 'verified' ? words.verified : words.notVerified}`
  return html`<p>${words.proposed}: <a href="/inbox/actions/${one.actionId}">${seen(one.summary)}</a> ${badge(look, ACTION_WORDS[language].state[status])}${effect}${one.reason !== null && html`<span class="meta"> ${seen(one.reason)}</span>`}${one.replaces !== null && html`<span class="meta"> ${words.took}</span>`}</p>`
}

function turnPart(reader: Reader, turn: Turn): Html {
  const words = WORDS[reader.language]
  const { rating, toolCalls } = turn
  return html`<li class="box"><p class="meta">${words.visitor} · ${instant(turn.at)}</p><p class="said">${seen(turn.prompt)}</p>
${turn.takenOver ? html`<p class="meta">${words.silent}</p>` : html`<p class="meta">${words.assistant}</p><div class="answer">${turn.blocks.map(blockPart)}</div>`}
${toolCalls.length > 0 && html`<p class="meta">${words.tools}: ${toolCalls.map(({ tool, status, durationMs }) => html`<code>${tool}</code> ${badge(status === 'ok' ? 'good' : 'warn', status)} ${durationMs} ${words.ms} `)}</p>`}
${turn.proposals.map((one) => proposalPart(reader, one))}
${turn.handoffs.map(({ trigger, reason, summary }) => html`<p class="note warn">${words.handedBy[trigger]}${reason !== null && html`: ${seen(reason)}`}. ${seen(summary)}</p>`)}
${rating !== null && html`<p>${badge(rating.rating === 'up' ? 'good' : 'bad', words[rating.rating])} ${rating.comment !== null && seen(rating.comment)}</p>`}</li>`
}

const messagePart = ({ from, text, at }: Message): Html =>
  html`<li class="box"><p class="meta">${seen(from.name)} · ${instant(at)}</p><p class="said">${seen(text)}</p></li>`

/** What people wrote stands where they wrote it. */
function inOrder(reader: Reader, { turns, messages }: Transcript): readonly Html[] {
  const all = [
    ...turns.map((turn) => ({ at: turn.at, part: turnPart(reader, turn) })),
    ...messages.map((message) => ({ at: message.at, part: messagePart(message) })),
  ]
  return all.sort((one, other) => one.at.getTime() - other.at.getTime()).map(({ part }) => part)
}

export const conversationPage = (): Page => ({
  path: '/console/conversations/:sessionId',
  name: { en: EN.title, ka: KA.title },
  group: null,
  asks: { before: 'text' },
  async show(reader, asked) {
    const words = WORDS[reader.language]
    const sessionId = asked.params.sessionId ?? ''
    const before = asked.query.before === '' ? undefined : asked.query.before
    const read = await readConversation(reader.ctx, { sessionId, before, limit: ON_PAGE })
    const body = html`<p><a href="/console/conversations">${words.all}</a></p><h1>${words.title}</h1>
<p class="lead">${words.lead(read.turns.length)}${read.customerId !== null && html` ${words.customer}: ${seen(read.customerId)}.`}</p>
${read.takenOverBy !== null && html`<p class="note warn">${words.takenOver(read.takenOverBy.name)}</p>`}
${read.nextBefore !== null && html`<p><a href="${asked.at}?${new URLSearchParams({ before: read.nextBefore }).toString()}">${words.older}</a></p>`}
<ol class="plain">${inOrder(reader, read)}</ol>
<section class="box"><h2>${words.erase}</h2><p>${words.eraseLead}</p>
${pageForm(reader, asked, {
  name: 'erase',
  fields: checkField('sure', words.sure, { required: true }),
  button: words.eraseButton,
  danger: true,
  same: { method: 'DELETE', path: `/v1/conversations/${sessionId}` },
})}</section>`
    return { title: words.title, body }
  },
  forms: {
    async erase({ ctx }, { form, params }) {
      if (sent(form, 'sure') !== 'yes')
        throw refuse('confirmation_required', 'The box was not ticked, so nothing was erased.')
      await deleteSession(ctx, params.sessionId ?? '')
      return { kind: 'left', to: '/console/conversations' }
    },
  },
})
