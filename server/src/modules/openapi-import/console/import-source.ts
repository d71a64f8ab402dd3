// The first step of an import: the document, and where its operations are called. And with what an API is called, in either step.

import { type Html, html } from '../../../kernel/html/index.ts'
import { member } from '../../../kernel/json/index.ts'
import {
  type Asked,
  areaField,
  type ConsoleRooms,
  type ConsoleVerbs,
  choiceField,
  count,
  fileField,
  note,
  type Outcome,
  type Posted,
  pageForm,
  type Reader,
  textField,
  typedOr,
} from '../../../pages/console-kit/index.ts'
import { type Form, seen, sent } from '../../../pages/kit/index.ts'
import { fetchDocument, keepDraft, mostDraftBytes } from '../drafts/index.ts'
import { changeImportedApi, type ImportParts } from '../index.ts'
import { WORDS } from './import-words.ts'

/** What was pasted and refused comes back where it is short: a page holds 60 KB. */
const LONGEST_ECHO = 8_000

const choicesOf = (words: Readonly<Record<string, string>>) =>
  Object.entries(words).map(([value, label]) => ({ value, label }))

/** Nothing that was typed here comes back: it may be a secret. */
export function credentialFields({ language }: Pick<Reader, 'language'>): Html {
  const words = WORDS[language]
  return html`<p class="hint">${words.apiHint}</p>
${choiceField('scheme', words.scheme, choicesOf(words.schemes), '')}
${textField({ id: 'secret', label: words.secret, type: 'password' })}
${textField({ id: 'credentialName', label: words.name })}
${textField({ id: 'tokenUrl', label: words.tokenUrl, type: 'url' })}
${textField({ id: 'scope', label: words.scope })}
${textField({ id: 'audience', label: words.audience })}
${choiceField('userToken', words.userToken, choicesOf(words.userTokens), '')}`
}

/** As the API takes it; what is not set is left as it is. */
export function credentialIn(form: Form) {
  const [scheme, userToken] = [sent(form, 'scheme'), sent(form, 'userToken')]
  const fields = Object.fromEntries(CREDENTIAL_FIELDS.map((name) => [name, sent(form, name)]))
  const credential = schemed(scheme, fields)
  return { ...(credential === undefined ? {} : { credential }), ...(userToken === '' ? {} : { userToken }) }
}

const CREDENTIAL_FIELDS = ['secret', 'credentialName', 'tokenUrl', 'scope', 'audience']

function schemed(scheme: string, fields: Readonly<Record<string, string>>): unknown {
  const { secret, credentialName: name, tokenUrl } = fields
  const given = (key: string) => (member(fields, key) === '' ? {} : { [key]: member(fields, key) })
  switch (scheme) {
    case '':
      return undefined
    case 'clear':
      return ''
    case 'bearer':
      return { scheme, token: secret }
    case 'basic':
      return { scheme, username: name, password: secret }
    case 'oauth2_client_credentials':
      return {
        scheme,
        tokenUrl,
        clientId: name,
        clientSecret: secret,
        ...given('scope'),
        ...given('audience'),
      }
    default:
      return { scheme, name, value: secret }
  }
}

export async function sourcePart(reader: Reader, asked: Asked, { importOf }: ConsoleVerbs): Promise<Html> {
  const { ctx, language } = reader
  const words = WORDS[language]
  const last = await importOf(ctx)
  const typed = typedOr(asked, 'draft', 'document', '')
  const isLong = typed.length > LONGEST_ECHO
  const { said } = asked.query
  const fields = html`${isLong && html`<p class="fault">${words.tooLong}</p>`}
${textField({ id: 'baseUrl', label: words.baseUrl, hint: words.baseUrlHint, type: 'url', required: true, value: typedOr(asked, 'draft', 'baseUrl', last?.baseUrl ?? ''), placeholder: 'https://api.shop.example' })}
${textField({ id: 'address', label: words.address, hint: words.addressHint, type: 'url', value: typedOr(asked, 'draft', 'address', ''), placeholder: 'https://api.shop.example/openapi.json' })}
${fileField({ id: 'file', label: words.file, accept: '.json,.yaml,.yml,application/json' })}
${areaField({ id: 'document', label: words.paste, value: isLong ? '' : typed, rows: 8 })}`
  return html`<p class="lead">${words.lead}</p>
${said === 'register' && note(true, html`<p>${words.registered} <a href="/console/catalog">${words.seeCatalog}</a></p>`)}
${said === 'forget' && note(true, words.forgotten)}
${last !== null && html`<p>${words.last(count(last.toolCount, language), last.baseUrl)}</p>`}
<section class="box"><h2>${words.source}</h2><p>${words.sourceLead}</p>
${pageForm(reader, asked, { name: 'draft', fields, button: words.read, files: true, same: { method: 'POST', path: '/v1/tools/import', body: '@draft.json' } })}</section>
${
  last !== null &&
  html`<section class="box"><h2>${words.api}</h2>
${pageForm(reader, asked, { name: 'api', fields: credentialFields(reader), button: words.apiButton, said: words.apiSaved, quiet: true, same: { method: 'PATCH', path: '/v1/tools/api', body: { userToken: 'prefer' } } })}</section>`
}`
}

const refusedText = (error: string): Outcome => ({
  kind: 'shown',
  good: false,
  note: html`<p lang="en">${seen(error)}</p>`,
})

/** Null where nothing was sent. */
async function documentIn({ ctx }: Reader, { form, head }: Posted): Promise<string | null> {
  const [file, pasted, address] = [sent(form, 'file'), sent(form, 'document'), sent(form, 'address').trim()]
  const written = file || pasted
  if (written.trim() !== '') return written
  return address === '' ? null : await fetchDocument(ctx, address, head.signal)
}

/** What the verbs behind this page ask for. */
export type ImportRooms = ConsoleRooms & ImportParts

export async function takeDocument(reader: Reader, posted: Posted, rooms: ImportRooms): Promise<Outcome> {
  const baseUrl = sent(posted.form, 'baseUrl')
  const document = await documentIn(reader, posted)
  if (document === null) return { kind: 'shown', good: false, note: html`<p>${WORDS[reader.language].nothingSent}</p>` }
  const kept = await keepDraft(reader.ctx, { document, baseUrl }, rooms)
  return kept.kind === 'kept' ? { kind: 'done' } : refusedText(kept.error)
}

export async function takeApi({ ctx }: Reader, { form }: Posted): Promise<Outcome> {
  const changed = await changeImportedApi(ctx, credentialIn(form))
  return changed.kind === 'changed' ? { kind: 'done' } : refusedText(changed.error)
}

/** Of the largest form: a document with the names of its fields. */
export const BODY_LIMIT = mostDraftBytes + 1_048_576
