// The page of whoever is not signed in: with the secret key, or with a link that was mailed to the owner.

import type { Language } from '@tether/contract'
import { html } from '../../kernel/html/index.ts'
import { member } from '../../kernel/json/index.ts'
import { alone, tokenField, WORDS } from '../../pages/console-kit/index.ts'
import type { House } from '../../tenancy/context/index.ts'
import { sendsMail } from '../../tenancy/mail/index.ts'
import { strangersToken } from './visit.ts'

export type WayInState = {
  /** Why the last try did not work, by the name of its reason. */
  readonly refused: string | null
  readonly asked: boolean
  readonly email: string
  /** What they typed into a form, sealed. */
  readonly kept: string | null
  /** Where somebody wanted to go, which is a page of the console. */
  readonly to: string | null
}

export const firstLook: WayInState = { refused: null, asked: false, email: '', kept: null, to: null }

/**
 * The key goes into a field that no browser fills or keeps. Of a mailed link, the token stands in the fragment: the script moves it
 * into its field, and without scripts the link is pasted there.
 */
export function wayInPage(house: House, language: Language, { refused, asked, email, kept, to }: WayInState): string {
  const { wayIn } = WORDS[language]
  const why = refused === null ? undefined : (member(wayIn.refused, refused) ?? wayIn.refused.other)
  const hidden = html`${tokenField(strangersToken(house))}<input type="hidden" name="lang" value="${language}">${to !== null && html`<input type="hidden" name="to" value="${to}">`}${kept !== null && html`<input type="hidden" name="kept" value="${kept}">`}`
  const mail = sendsMail(house.settings)
    ? html`<form method="post" action="/console/sign-in">
${hidden}
<p>${wayIn.mailLead}</p>
<label for="email">${wayIn.email}</label>
<input id="email" name="email" type="email" autocomplete="email" required value="${email}">
<button class="quiet">${wayIn.ask}</button>
</form>`
    : html`<p class="note">${wayIn.noMail}</p>`
  const body = html`<h1>${asked ? wayIn.asked : wayIn.heading}</h1>
${why !== undefined && html`<p class="note bad" role="alert" tabindex="-1" autofocus>${why}</p>`}
<section data-linked hidden><p>${wayIn.withLinkLead}</p></section>
${
  asked
    ? html`<p class="note good" role="status">${wayIn.askedMore}</p>`
    : html`<section data-unlinked><p class="lead">${wayIn.lead}</p>
<form method="post" action="/console/enter">
${hidden}
<label for="key">${wayIn.key}</label>
<p class="hint" id="key-hint">${wayIn.keyHint}</p>
<input id="key" name="key" type="password" autocomplete="off" required aria-describedby="key-hint">
<button>${wayIn.enter}</button>
</form>
<h2>${wayIn.mailHeading}</h2>
${mail}</section>`
}
<form method="post" action="/console/open" class="second">
${hidden}
<div data-unlinked>
<h2>${wayIn.withLink}</h2>
<label for="link">${wayIn.link}</label>
<input id="link" name="link" type="text" autocomplete="off" required>
</div>
<button data-enter class="quiet">${wayIn.linkEnter}</button>
</form>
${house.settings.signup.enabled && html`<p class="next" data-unlinked><a href="/signup?lang=${language}">${wayIn.signUp}</a></p>`}`
  return alone(language, wayIn.heading, body, to ?? '/console')
}
