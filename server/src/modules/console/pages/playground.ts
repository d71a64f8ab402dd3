// Asks the assistant as a visitor, a customer or an agent would, and shows everything that the answer was made of.
import type { ChatFrame } from '@tether/contract'
import { html } from '../../../kernel/html/index.ts'
import { refuse } from '../../../kernel/http/index.ts'
import {
  type Asked,
  afterOf,
  areaField,
  type ConsoleRooms,
  checkField,
  choiceField,
  type Page,
  pageForm,
  type Reader,
  type SameCall,
  type Tell,
  textField,
  typedOr,
} from '../../../pages/console-kit/index.ts'
import { type Form, sent } from '../../../pages/kit/index.ts'
import type { TurnRequest } from '../../../talk/chat/index.ts'
import { watchTurn } from '../../../talk/trials/index.ts'
import { provenCustomer } from '../../../tenancy/access/index.ts'
import type { Context } from '../../../tenancy/context/index.ts'
import { isFree } from '../../../tenancy/usage/index.ts'
import { turnPart } from './playground-turn.ts'
import { WORDS } from './playground-words.ts'

const AS = ['visitor', 'customer', 'agent'] as const
type As = (typeof AS)[number]

const asOf = (form: Form): As => AS.find((one) => one === sent(form, 'as')) ?? 'visitor'

/** A page's visitor reaches less than the secret key that stands behind the console, and so does a customer of theirs. */
async function askingAs({ ctx, language }: Reader, as: As, token: string): Promise<Context> {
  if (as === 'agent') return ctx
  if (as === 'customer' && token === '') throw refuse('invalid_customer_token', WORDS[language].tokenMissing)
  const customer = as === 'customer' ? await provenCustomer(ctx, token) : null
  return { ...ctx, asking: { ...ctx.asking, kind: 'publishable', customer } }
}

const requestOf = (form: Form, as: As): TurnRequest => ({
  surface: as === 'agent' ? 'agent' : 'chat',
  source: 'POST /console/playground/ask',
  prompt: sent(form, 'prompt'),
  sessionId: sent(form, 'sessionId') || null,
  isDeep: false,
  enableWriteActions: sent(form, 'writes') === 'yes' && as === 'agent',
  language: sent(form, 'language') || undefined,
  image: undefined,
  maxRounds: undefined,
  instructions: null,
  earlier: [],
  // The console decides nothing, so it is handed nothing that could.
  mayHoldTokens: false,
})

function sameAs(as: string, prompt: string): SameCall {
  const text = prompt || 'Where is my order A-1001?'
  return as === 'agent'
    ? { method: 'POST', path: '/v1/agent', body: { goal: text } }
    : { method: 'POST', path: '/v1/chat/stream', body: { prompt: text } }
}

function form(reader: Reader, asked: Asked) {
  const words = WORDS[reader.language]
  const now = (name: string) => typedOr(asked, 'ask', name, '')
  const after = afterOf(asked, 'ask')
  const as = now('as') || 'visitor'
  const choices = AS.map((value) => ({ value, label: words.as[value] }))
  const languages = (['', 'ka', 'en'] as const).map((value) => ({ value, label: words.languages[value] }))
  // What was asked and answered stands below it; what was refused stays to be asked again.
  const isAnswered = after?.good === true
  return pageForm(reader, isAnswered ? { ...asked, after: null } : asked, {
    name: 'ask',
    fields: html`<div class="filters"><div>${choiceField('as', words.who, choices, as)}</div><div>${choiceField('language', words.language, languages, now('language'))}</div></div>
${areaField({ id: 'prompt', label: words.question, value: isAnswered ? '' : now('prompt'), required: true, rows: 3 })}
${textField({ id: 'customerToken', label: words.token, hint: words.tokenHint, type: 'password' })}
${checkField('writes', words.writes, { isChecked: now('writes') === 'yes' })}<input type="hidden" name="sessionId" value="">`,
    button: words.ask,
    tellsIn: 'coming',
    same: sameAs(as, now('prompt')),
  })
}

/** Words are told as words, and a call as a line beside them. The page that follows shows every frame. */
function tellFrame(tell: Tell, frame: ChatFrame): void {
  if (frame.type === 'delta') tell({ text: frame.text })
  if (frame.type === 'tool') tell({ line: `${frame.tool}: ${frame.status}, ${frame.durationMs} ms` })
}

/** Hidden until the script has something to show in it. */
function comingPart({ language }: Reader) {
  const words = WORDS[language]
  return html`<section class="box" id="coming" tabindex="-1" hidden><h2>${words.answer}</h2><p class="meta" role="status" data-told="state" data-works="${words.coming}" data-lost="${words.lost}"></p>
<ul class="plain" data-told="line"></ul><p class="said" data-told="text"></p>
<p data-told="lost" hidden><a href="/console/conversations">${words.lostWhere}</a></p></section>`
}

export const playgroundPage = (rooms: ConsoleRooms): Page => ({
  path: '/console/playground',
  secrets: ['customerToken'],
  name: { en: WORDS.en.title, ka: WORDS.ka.title },
  group: 'try',
  order: 1,
  async show(reader, asked) {
    const words = WORDS[reader.language]
    const after = afterOf(asked, 'ask')
    const body = html`<h1>${words.title}</h1><p class="lead">${words.lead}</p>
<p class="note">${words.real}${isFree(reader.ctx.asking.plan) && html` ${words.free}`}</p>
<section class="box">${form(reader, asked)}</section>
${comingPart(reader)}
${after?.good === true && after.note}`
    return { title: words.title, body }
  },
  tells: 'ask',
  forms: {
    async ask(reader, { form: given, head, tell }) {
      const as = asOf(given)
      const ctx = await askingAs(reader, as, sent(given, 'customerToken').trim())
      const request = requestOf(given, as)
      const turn = await watchTurn(ctx, rooms, request, {
        signal: head.signal,
        heard: (frame) => tellFrame(tell, frame),
      })
      const note = turnPart(reader, turn, { as, isFirst: request.sessionId === null })
      return { kind: 'shown', good: true, note, once: true }
    },
  },
})
