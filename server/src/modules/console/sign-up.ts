// `/signup`: somebody creates a workspace on a page. The key is shown once, on the page that answers the form.
import { ERRORS, type Language } from '@tether/contract'
import { z } from 'zod'
import { type Html, html } from '../../kernel/html/index.ts'
import { type Answer, Refusal } from '../../kernel/http/index.ts'
import { alone, note, refusedWords, textField, tokenField, type Words } from '../../pages/console-kit/index.ts'
import { Fields, type Form, field, languageOf, sent, strangersForm } from '../../pages/kit/index.ts'
import { ANYONE, type Route, route } from '../../tenancy/access/index.ts'
import type { AnyoneAsking, Context } from '../../tenancy/context/index.ts'
import { type SignupParts, signUp } from '../../tenancy/signup/index.ts'
import { pageAnswer } from './visit.ts'

const EN = {
  title: 'Create a workspace',
  lead: 'It works at once, on the free plan, for development and testing.',
  email: 'Your address',
  emailHint: 'We mail you a link to confirm it.',
  name: 'Name of the workspace',
  nameHint: 'Your customers may see it, so take the name of the business.',
  button: 'Create it',
  closed: 'Sign-up is closed on this deployment. Ask its operator for a workspace.',
  has: 'You have a workspace? Sign in',
  form: 'The page was too old, or the form came from elsewhere. Nothing was created. Try again.',
  made: (name: string) => `“${name}” is ready`,
  once: 'Store these three lines now, on your server. Neither the key nor the signing secret is shown again.',
  confirm: (email: string) =>
    `We mailed a link to ${email}. Open it to go live: public pages and mail to others wait for it.`,
  go: 'Next',
  goLead: 'Sign in to the console with the key of the second line, and it tells you what is missing.',
  goLink: 'Open the console',
}
const KA: typeof EN = {
  title: 'სამუშაო სივრცის შექმნა',
  lead: 'მაშინვე მუშაობს, უფასო გეგმით, შესამუშავებლად და გამოსაცდელად.',
  email: 'თქვენი ელფოსტა',
  emailHint: 'დასადასტურებლად ბმულს გამოგიგზავნით.',
  name: 'სამუშაო სივრცის სახელი',
  nameHint: 'შეიძლება თქვენმა მომხმარებლებმაც ნახონ, ამიტომ ბიზნესის სახელი ჩაწერეთ.',
  button: 'შექმნა',
  closed: 'აქ რეგისტრაცია დახურულია. სამუშაო სივრცე ადმინისტრატორს სთხოვეთ.',
  has: 'უკვე გაქვთ სამუშაო სივრცე? შედით',
  form: 'გვერდი მოძველდა, ან ფორმა სხვა ადგილიდან მოვიდა. არაფერი შექმნილა. სცადეთ თავიდან.',
  made: (name) => `„${name}“ მზადაა`,
  once: 'ეს სამი სტრიქონი ახლავე შეინახეთ თქვენს სერვერზე. არც გასაღები და არც ხელმოწერის საიდუმლო მეორედ აღარ გამოჩნდება.',
  confirm: (email) =>
    `ბმული გამოგიგზავნეთ მისამართზე ${email}. გახსენით, რომ ყველაფერი ამოქმედდეს: საჯარო გვერდები და სხვებისთვის გასაგზავნი წერილები ამას ელოდება.`,
  go: 'რა არის შემდეგი',
  goLead: 'შედით მართვის პანელში მეორე სტრიქონის გასაღებით და ის გეტყვით, რა აკლია.',
  goLink: 'მართვის პანელის გახსნა',
}
const WORDS: Words<typeof EN> = { en: EN, ka: KA }

type Ctx = Context<AnyoneAsking>

const forms = strangersForm('signup')
const FRESH = 'sign up'

function formPage(ctx: Ctx, language: Language, typed: Form, why: Html | null): string {
  const words = WORDS[language]
  const form = html`<form method="post" action="/signup">
${tokenField(forms.token(ctx, FRESH))}<input type="hidden" name="lang" value="${language}">
${textField({ id: 'name', label: words.name, hint: words.nameHint, required: true, value: field(typed, 'name').slice(0, 200) })}
${textField({ id: 'email', label: words.email, hint: words.emailHint, type: 'email', required: true, value: field(typed, 'email').slice(0, 320) })}
<button>${words.button}</button>
</form>`
  const isOpen = ctx.settings.signup.enabled
  const body = html`<h1>${words.title}</h1>
${why !== null && note(false, why)}
${isOpen ? html`<p class="lead">${words.lead}</p>${form}` : html`<p class="note">${words.closed}</p>`}
<p class="next"><a href="/console?lang=${language}">${words.has}</a></p>`
  return alone(language, words.title, body, '/signup')
}

function madePage(language: Language, made: Awaited<ReturnType<typeof signUp>>): string {
  const words = WORDS[language]
  const body = html`<h1 tabindex="-1" autofocus>${words.made(made.name)}</h1>
<p>${words.once}</p>
<pre tabindex="0" data-copy>${made.exportLines.join('\n')}</pre>
${made.confirmation !== null && html`<p class="note">${words.confirm(made.confirmation.sentTo)}</p>`}
<h2>${words.go}</h2>
<p>${words.goLead}</p>
<p><a href="/console?lang=${language}">${words.goLink}</a></p>`
  return alone(language, words.title, body, '/signup')
}

const here = { reach: ANYONE, group: 'Pages', path: '/signup' } as const
const PAGE = { text: 'text/html' } as const

async function take(ctx: Ctx, rooms: Pick<SignupParts, 'mail'>, language: Language, form: Form): Promise<Answer> {
  try {
    const input = { email: sent(form, 'email'), name: sent(form, 'name'), language }
    return pageAnswer({ html: madePage(language, await signUp(ctx, rooms, input)), once: true })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const status = ERRORS[error.code]
    return pageAnswer({ html: formPage(ctx, language, form, refusedWords(language, error)), status })
  }
}

export const signUpRoutes = (rooms: Pick<SignupParts, 'mail'>): readonly Route[] => [
  route({
    ...here,
    lane: 'none',
    method: 'GET',
    headers: ['Accept-Language'],
    summary: 'The page on which somebody creates a workspace',
    query: z.object({ lang: z.string().max(35).optional() }),
    answers: { 200: PAGE },
    handle: async (ctx, { query, head }) =>
      pageAnswer({ html: formPage(ctx, languageOf(query.lang, head.headers['accept-language']), {}, null) }),
  }),
  route({
    ...here,
    unlisted: true,
    lane: 'control',
    form: true,
    method: 'POST',
    summary: 'Create a workspace on a page',
    body: Fields,
    answers: { 200: PAGE, 400: PAGE, 403: PAGE, 404: PAGE, 409: PAGE, 429: PAGE, 503: PAGE },
    handle: async (ctx, { body, head }) => {
      const language = languageOf(field(body, 'lang'), head.headers['accept-language'])
      if (forms.isOurs(ctx, head, body, FRESH)) return await take(ctx, rooms, language, body)
      const why = html`<p>${WORDS[language].form}</p>`
      return pageAnswer({ html: formPage(ctx, language, body, why), status: 403 })
    },
  }),
]
