// What cannot be taken back: after a leak, everything is revoked; and the workspace is deleted. Both ask for its name.

import { html } from '../../../kernel/html/index.ts'
import { refuse } from '../../../kernel/http/index.ts'
import { checkField, type Page, pageForm, textField, typedOr, type Words } from '../../../pages/console-kit/index.ts'
import { sent } from '../../../pages/kit/index.ts'
import { askerOf } from '../../../tenancy/access/index.ts'
import { deleteAccount } from '../../../tenancy/accounts/index.ts'
import { compromise } from '../../../tenancy/tenants/index.ts'

const EN = {
  title: 'Danger',
  lead: 'Neither of these can be taken back.',
  name: (name: string) => `To confirm, write the name of the workspace: ${name}`,
  leak: 'A secret has leaked',
  leakLead:
    'Every key of every kind stops at once, and so does whatever runs with them: the widget, agents, pipelines, your server. You get one new secret key, and a new customer-token key if you have one.',
  also: 'Replace the signing secret, too',
  leakButton: 'Revoke everything',
  leaked: (count: number) => `Revoked: ${count}. Store these now. They are not shown again.`,
  next: 'A session that came from a key has ended with it. Sign in with the new key.',
  signIn: 'To the sign-in',
  remove: 'Delete the workspace',
  removeLead:
    'Conversations, staged writes, the trail, documents and keys are deleted for ever, at once. Export the trail first if you need it.',
  removeButton: 'Delete it for ever',
}
const KA: typeof EN = {
  title: 'სახიფათო ზონა',
  lead: 'ვერც ერთს უკან ვეღარ დააბრუნებთ.',
  name: (name) => `დასადასტურებლად ჩაწერეთ სამუშაო სივრცის სახელი: ${name}`,
  leak: 'საიდუმლომ გაჟონა',
  leakLead:
    'ყველა სახის ყველა გასაღები მაშინვე გაუქმდება და გაჩერდება ყველაფერი, რაც მათით მუშაობს: ვიჯეტი, აგენტები, CI, თქვენი სერვერი. მიიღებთ ერთ ახალ საიდუმლო გასაღებს და, თუ მომხმარებლის ტოკენის გასაღები გაქვთ, ახალს მის ნაცვლადაც.',
  also: 'ხელმოწერის საიდუმლოც შეიცვალოს',
  leakButton: 'ყველაფრის გაუქმება',
  leaked: (count) => `გაუქმდა: ${count}. ესენი ახლავე შეინახეთ, მეორედ აღარ გამოჩნდება.`,
  next: 'გასაღებით გახსნილი სეანსი მასთან ერთად დასრულდა. შედით ახალი გასაღებით.',
  signIn: 'შესვლა',
  remove: 'სამუშაო სივრცის წაშლა',
  removeLead:
    'საუბრები, შეთავაზებული ცვლილებები, აუდიტი, დოკუმენტები და გასაღებები მაშინვე და სამუდამოდ წაიშლება. თუ აუდიტი გჭირდებათ, ჯერ გადმოწერეთ.',
  removeButton: 'სამუდამოდ წაშლა',
}
const WORDS: Words<typeof EN> = { en: EN, ka: KA }

export const dangerPage = (): Page => ({
  path: '/console/danger',
  name: { en: EN.title, ka: KA.title },
  group: 'people',
  order: 4,
  async show(reader, asked) {
    const words = WORDS[reader.language]
    const { tenantName } = reader.ctx.asking
    const nameField = (form: string) =>
      textField({
        id: `${form}-name`,
        label: words.name(tenantName),
        value: typedOr(asked, form, `${form}-name`, ''),
        required: true,
      })
    const body = html`<h1>${words.title}</h1><p class="lead">${words.lead}</p>
<section class="box"><h2>${words.leak}</h2><p>${words.leakLead}</p>
${pageForm(reader, asked, {
  name: 'leak',
  fields: html`${checkField('also', words.also)}${nameField('leak')}`,
  button: words.leakButton,
  danger: true,
  same: { method: 'POST', path: '/v1/account/compromise', body: { rotateSigningSecret: true } },
})}</section>
<section class="box"><h2>${words.remove}</h2><p>${words.removeLead}</p>
${pageForm(reader, asked, {
  name: 'remove',
  fields: nameField('remove'),
  button: words.removeButton,
  danger: true,
  same: { method: 'DELETE', path: '/v1/account', body: { confirm: tenantName } },
})}</section>`
    return { title: words.title, body }
  },
  forms: {
    async leak({ ctx, language }, { form }) {
      // The API takes the key's word for it. A press on a page may be a slip.
      const alsoSigning = sent(form, 'also') === 'yes'
      if (sent(form, 'leak-name') !== ctx.asking.tenantName)
        throw refuse('confirmation_required', 'The name is another one, so nothing was revoked.')
      const words = WORDS[language]
      const made = await compromise(ctx, askerOf(ctx.asking), alsoSigning)
      const lines = [made.apiKey, made.signingSecret, made.customerTokenKey].filter((one) => one !== null)
      const note = html`<p>${words.leaked(made.revokedKeys)}</p><pre tabindex="0">${lines.join('\n')}</pre><p>${words.next} <a href="/console">${words.signIn}</a></p>`
      return { kind: 'shown', good: true, once: true, note }
    },
    async remove({ ctx }, { form }) {
      await deleteAccount(ctx, sent(form, 'remove-name'))
      return { kind: 'left', to: '/console' }
    },
  },
})
