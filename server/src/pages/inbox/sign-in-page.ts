import { html } from '../../kernel/html/index.ts'
import { member } from '../../kernel/json/index.ts'
import { strangersPage } from './layout.ts'
import type { Visitor } from './visit.ts'

export type SignInState = {
  readonly token: string
  /** The address to fill in. */
  readonly email: string
  readonly sendsMail: boolean
  /** Why the last try did not work, by the name of its reason. */
  readonly refused: string | null
  readonly asked: boolean
}

/**
 * One page for everybody. A link that was opened stands in the fragment, where no server and no scanner sees it: the script moves
 * it into the field, and without scripts it is pasted there. Only the button spends it.
 */
export function signInPage(visitor: Visitor, { token, email, sendsMail, refused, asked }: SignInState): string {
  const { signIn } = visitor.words
  const why = refused === null ? undefined : member(signIn.refused, refused)
  const hidden = html`<input type="hidden" name="token" value="${token}"><input type="hidden" name="lang" value="${visitor.language}">`
  const body = html`
<h1>${asked ? signIn.asked : signIn.heading}</h1>
${why !== undefined && html`<p class="note bad" role="alert">${why}</p>`}
<section data-linked hidden>
<p>${signIn.withLinkLead}</p>
</section>
${
  asked
    ? html`<p class="note good" role="status">${signIn.askedMore}</p>`
    : sendsMail
      ? html`<form method="post" action="/inbox/sign-in" data-unlinked>
${hidden}
<p>${signIn.lead}</p>
<label for="email">${signIn.email}</label>
<input id="email" name="email" type="email" autocomplete="email" required value="${email}">
<button>${signIn.ask}</button>
</form>`
      : html`<p class="note">${signIn.noMail}</p>`
}
<form method="post" action="/inbox/open" class="second">
${hidden}
<div data-unlinked>
<h2>${signIn.withLink}</h2>
<label for="link">${signIn.link}</label>
<input id="link" name="link" type="text" autocomplete="off" required>
</div>
<button data-enter class="quiet">${signIn.enter}</button>
</form>`
  return strangersPage(visitor, { title: `${signIn.heading} · Tether`, body, path: '/inbox' })
}
