// The widget on the pages of the business: where it may stand, what to paste, whether it works there, and how it looks.
import { checkSite, readBrand, readEmbed, readOrigins, writeBrand, writeOrigins } from '../../../api/embed/index.ts'
import { type Html, html } from '../../../kernel/html/index.ts'
import {
  type Asked,
  areaField,
  badge,
  choiceField,
  type Page,
  pageForm,
  type Reader,
  textField,
  typedOr,
  type Words,
} from '../../../pages/console-kit/index.ts'
import { type Form, seen, sent } from '../../../pages/kit/index.ts'
import { brandFrame, isColor, previewFiles } from './brand-preview.ts'

const EN = {
  title: 'Website',
  none: 'The widget may stand nowhere yet. Register your site first.',
  some: (count: number) =>
    count === 1 ? 'The widget may stand on one site.' : `The widget may stand on ${count} sites.`,
  held: (list: string) => `Held until the address of the workspace is confirmed: ${list}`,
  confirm: 'Confirm it',
  origins: 'Sites',
  originsLabel: 'Origins, one a line',
  originsHint: 'Such as https://shop.example. With and without www. are two.',
  saveOrigins: 'Save the sites',
  saidOrigins: 'Saved. It holds from the next visitor on.',
  snippet: 'Snippet',
  snippetLead: 'Paste it once before the closing body tag. Its key is publishable: it may stand on a page.',
  language: 'Language of the widget',
  georgian: 'Georgian',
  english: 'English',
  greeting: 'Greeting, if you want another one',
  show: 'Show the snippet',
  snippetIs: 'Copy this:',
  check: 'Does it work there?',
  checkLead: 'We look at a page as a visitor’s browser would.',
  page: 'Address of a page',
  look: 'Check the page',
  reached: (status: number) => `The page answered ${status}.`,
  unreached: 'The page could not be read:',
  facts: {
    script: 'The script is there',
    element: 'The element is there',
    key: 'Its key is of this workspace',
    policyScript: 'The page’s policy lets the script run',
    policyConnect: 'The page’s policy lets it talk to us',
    secret: 'No secret key stands on the page',
    origin: (origin: string) => `${origin} is registered`,
  },
  yes: 'yes',
  no: 'no',
  brand: 'Looks',
  color: 'Colour, # and six digits',
  logo: 'Address of a logo',
  saveBrand: 'Save the looks',
  tryBrand: 'Try them',
  preset: 'Without a colour, the widget has its own.',
  noColor: 'A colour is # and six hexadecimal digits, such as #0b5cad.',
  preview: 'The widget with these looks',
  previewMore: 'This is the real widget, and nothing asked in it reaches anybody. A logo is shown on your site alone.',
  saidBrand: 'Saved. Visitors see it within five minutes.',
  contrast: (ratio: string, enough: boolean) =>
    `Text on this colour has a contrast of ${ratio} to 1, ${enough ? 'which is enough' : 'which is too little: 4.5 is the least'}.`,
}
const KA: typeof EN = {
  title: 'ვებსაიტი',
  none: 'ვიჯეტს ჯერ არსად აქვს მუშაობის უფლება. ჯერ თქვენი საიტი დაარეგისტრირეთ.',
  some: (count) => `ვიჯეტს მუშაობის უფლება აქვს ${count} საიტზე.`,
  held: (list) => `ელოდება სამუშაო სივრცის ელფოსტის დადასტურებას: ${list}`,
  confirm: 'დადასტურება',
  origins: 'საიტები',
  originsLabel: 'საიტები, თითო სტრიქონზე თითო',
  originsHint: 'მაგალითად https://shop.example. www-იანი და უამისო ორი სხვადასხვა საიტია.',
  saveOrigins: 'საიტების შენახვა',
  saidOrigins: 'შენახულია. მოქმედებს შემდეგი ვიზიტორიდან.',
  snippet: 'კოდი გვერდისთვის',
  snippetLead: 'ერთხელ ჩასვით body ელემენტის დახურვამდე. ამ კოდის გასაღები საჯაროა: გვერდზე შეიძლება ეწეროს.',
  language: 'ვიჯეტის ენა',
  georgian: 'ქართული',
  english: 'ინგლისური',
  greeting: 'მისალმება, თუ სხვა გსურთ',
  show: 'კოდის ჩვენება',
  snippetIs: 'დააკოპირეთ:',
  check: 'მუშაობს იქ?',
  checkLead: 'გვერდს ისე შევხედავთ, როგორც ვიზიტორის ბრაუზერი.',
  page: 'გვერდის მისამართი',
  look: 'გვერდის შემოწმება',
  reached: (status) => `გვერდის პასუხი: ${status}.`,
  unreached: 'გვერდი ვერ წავიკითხეთ:',
  facts: {
    script: 'სკრიპტი გვერდზეა',
    element: 'ელემენტი გვერდზეა',
    key: 'გასაღები ამ სამუშაო სივრცისაა',
    policyScript: 'გვერდის წესები სკრიპტს უშვებს',
    policyConnect: 'გვერდის წესები ჩვენთან დაკავშირებას უშვებს',
    secret: 'საიდუმლო გასაღები გვერდზე არ წერია',
    origin: (origin) => `${origin} რეგისტრირებულია`,
  },
  yes: 'კი',
  no: 'არა',
  brand: 'გარეგნობა',
  color: 'ფერი: # და ექვსი ნიშანი',
  logo: 'ლოგოს მისამართი',
  saveBrand: 'გარეგნობის შენახვა',
  tryBrand: 'მოსინჯვა',
  preset: 'ფერის გარეშე ვიჯეტს თავისი ფერი აქვს.',
  noColor: 'ფერი ასე იწერება: # და ექვსი თექვსმეტობითი ნიშანი, მაგალითად #0b5cad.',
  preview: 'ვიჯეტი ამ გარეგნობით',
  previewMore: 'ეს ნამდვილი ვიჯეტია, მაგრამ აქ დასმული კითხვა არავისთან მიდის. ლოგო მხოლოდ თქვენს საიტზე გამოჩნდება.',
  saidBrand: 'შენახულია. ვიზიტორები ხუთ წუთში დაინახავენ.',
  contrast: (ratio, enough) =>
    `ამ ფერზე ტექსტის კონტრასტია ${ratio}:1, ${enough ? 'ეს საკმარისია' : 'ეს ცოტაა: საჭიროა მინიმუმ 4,5'}.`,
}
const WORDS: Words<typeof EN> = { en: EN, ka: KA }

type Checked = Awaited<ReturnType<typeof checkSite>>

const MOST_ORIGINS = 10

function checkedNote(
  { language }: Reader,
  { reachable, status, error, snippet, csp, secretKeyOnPage, origins }: Checked,
): Html {
  const words = WORDS[language]
  const { facts } = words
  const fact = (name: string, holds: boolean) =>
    html`<li>${badge(holds ? 'good' : 'bad', holds ? words.yes : words.no)} ${name}</li>`
  if (!reachable) return html`<p>${words.unreached} <span lang="en">${error}</span></p>`
  return html`<p>${words.reached(status)}${error !== null && html` <span lang="en">${error}</span>`}</p><ul class="facts">
${fact(facts.script, snippet.script)}${fact(facts.element, snippet.element)}${fact(facts.key, snippet.key === 'this_workspace')}
${csp !== null && fact(facts.policyScript, csp.scriptAllowed)}${csp !== null && fact(facts.policyConnect, csp.connectAllowed)}
${fact(facts.secret, !secretKeyOnPage)}
${origins.slice(0, MOST_ORIGINS).map(({ origin, registered }) => fact(facts.origin(origin), registered))}</ul>`
}

const works = ({ reachable, snippet, csp, secretKeyOnPage }: Checked): boolean =>
  reachable &&
  snippet.script &&
  snippet.element &&
  snippet.key === 'this_workspace' &&
  !secretKeyOnPage &&
  (csp === null || (csp.scriptAllowed && csp.connectAllowed))

function originsForm(reader: Reader, asked: Asked, origins: readonly string[]): Html {
  const words = WORDS[reader.language]
  const now = typedOr(asked, 'origins', 'origins', origins.join('\n'))
  return pageForm(reader, asked, {
    name: 'origins',
    fields: areaField({ id: 'origins', label: words.originsLabel, hint: words.originsHint, value: now, rows: 4 }),
    button: words.saveOrigins,
    said: words.saidOrigins,
    same: { method: 'PUT', path: '/v1/origins', body: { origins: linesOf(now), holdUntilConfirmed: true } },
  })
}

const linesOf = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')

function snippetForm(reader: Reader, asked: Asked): Html {
  const words = WORDS[reader.language]
  const language = typedOr(asked, 'snippet', 'language', reader.language)
  const choices = [
    { value: 'ka', label: words.georgian },
    { value: 'en', label: words.english },
  ]
  return pageForm(reader, asked, {
    name: 'snippet',
    fields: html`${choiceField('language', words.language, choices, language)}${textField({ id: 'greeting', label: words.greeting, value: typedOr(asked, 'snippet', 'greeting', '') })}`,
    button: words.show,
    same: { method: 'POST', path: '/v1/embed', body: { language } },
  })
}

/** The contrast of the better of black and white, by the luminance of WCAG. */
export function contrastOn(color: string): number {
  const light = (from: number) => {
    const part = Number.parseInt(color.slice(from, from + 2), 16) / 255
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }
  const luminance = 0.2126 * light(1) + 0.7152 * light(3) + 0.0722 * light(5)
  return Math.max(1.05 / (luminance + 0.05), (luminance + 0.05) / 0.05)
}

type Brand = Awaited<ReturnType<typeof readBrand>>

function brandForm(reader: Reader, asked: Asked, { color, logo }: Brand): Html {
  const words = WORDS[reader.language]
  const typed = (name: string, saved: string | null) =>
    typedOr(asked, 'look', name, typedOr(asked, 'brand', name, saved ?? ''))
  const [nowColor, nowLogo] = [typed('color', color), typed('logo', logo)]
  const ratio = color === null ? null : contrastOn(color)
  return html`<div class="beside"><div>${
    color !== null &&
    ratio !== null &&
    html`<p><svg width="20" height="20" aria-hidden="true"><rect width="20" height="20" rx="4" fill="${color}"/></svg> <code>${color}</code> ${words.contrast(ratio.toFixed(1), ratio >= 4.5)}</p>`
  }
${pageForm(reader, asked, {
  name: 'brand',
  fields: html`${textField({ id: 'color', label: words.color, value: nowColor, placeholder: '#0b5cad' })}${textField({ id: 'logo', label: words.logo, type: 'url', value: nowLogo, placeholder: 'https://shop.example/logo.svg' })}`,
  button: words.saveBrand,
  also: { name: 'look', button: words.tryBrand },
  said: words.saidBrand,
  same: { method: 'PUT', path: '/v1/chat/brand', body: { color: nowColor || null, logo: nowLogo || null } },
})}</div>
<div><p>${words.preview}</p>${brandFrame(reader.language, words.preview, nowColor)}<p class="meta">${words.previewMore}</p></div></div>`
}

const looksIn = (form: Form) => ({ color: sent(form, 'color').trim(), logo: sent(form, 'logo').trim() })

export const websitePage = (): Page => ({
  path: '/console/website',
  name: { en: EN.title, ka: KA.title },
  group: 'setup',
  order: 4,
  asks: { color: 'text' },
  files: previewFiles,
  async show(reader, asked) {
    const words = WORDS[reader.language]
    const [{ origins, held }, brand] = await Promise.all([readOrigins(reader.ctx), readBrand(reader.ctx)])
    const url = typedOr(asked, 'check', 'url', origins[0] ?? '')
    const body = html`<h1>${words.title}</h1>
<p class="lead">${origins.length === 0 ? words.none : words.some(origins.length)}</p>
${held.length > 0 && html`<p class="note warn">${words.held(held.join(', '))} <a href="/console/keys">${words.confirm}</a></p>`}
<section class="box"><h2>${words.origins}</h2>${originsForm(reader, asked, [...origins, ...held])}</section>
<section class="box"><h2>${words.snippet}</h2><p>${words.snippetLead}</p>${snippetForm(reader, asked)}</section>
<section class="box"><h2>${words.check}</h2><p>${words.checkLead}</p>
${pageForm(reader, asked, {
  name: 'check',
  fields: textField({
    id: 'url',
    label: words.page,
    type: 'url',
    value: url,
    required: true,
    placeholder: 'https://shop.example/',
  }),
  button: words.look,
  quiet: true,
  same: { method: 'POST', path: '/v1/embed/check', body: { url: url || 'https://shop.example/' } },
})}</section>
<section class="box"><h2>${words.brand}</h2>${brandForm(reader, asked, brand)}</section>`
    return { title: words.title, body }
  },
  forms: {
    async origins({ ctx }, { form }) {
      await writeOrigins(ctx, { origins: linesOf(sent(form, 'origins')), holdUntilConfirmed: true })
      return { kind: 'done' }
    },
    async snippet({ ctx, language }, { form }) {
      const greeting = sent(form, 'greeting').trim()
      const { snippet } = await readEmbed(ctx, {
        language: sent(form, 'language'),
        ...(greeting === '' ? {} : { greeting }),
      })
      return {
        kind: 'shown',
        good: true,
        note: html`<p>${WORDS[language].snippetIs}</p><pre tabindex="0">${seen(snippet)}</pre>`,
      }
    },
    async check(reader, { form, head }) {
      const checked = await checkSite(reader.ctx, sent(form, 'url'), head.signal)
      return { kind: 'shown', good: works(checked), note: checkedNote(reader, checked) }
    },
    async look({ language }, { form }) {
      const words = WORDS[language]
      const { color } = looksIn(form)
      if (color === '') return { kind: 'shown', good: true, note: html`<p>${words.preset}</p>` }
      if (!isColor(color)) return { kind: 'shown', good: false, note: html`<p>${words.noColor}</p>` }
      const ratio = contrastOn(color)
      return { kind: 'shown', good: ratio >= 4.5, note: html`<p>${words.contrast(ratio.toFixed(1), ratio >= 4.5)}</p>` }
    },
    async brand({ ctx }, { form }) {
      await writeBrand(ctx, looksIn(form))
      return { kind: 'done' }
    },
  },
})
