import { button, h, own } from './h.ts'
import type { Ui } from './ui.ts'
import { type ConfirmOutcome, type Proposal, readJson } from './wire.ts'
import type { Words } from './words.ts'

/** Confirms one action with the token that was issued for it. */
export type Confirm = (actionId: string, token: string) => Promise<Response>

/**
 * Draws a write that waits, with every argument in full. The visitor can confirm it only if the service issued a token
 * for it. The two buttons stand side by side and look alike.
 */
export function drawProposal(proposal: Proposal, ui: Ui, confirm: Confirm): HTMLElement {
  const { actionId, title, tool, summary, expiresAt, labels, shown, confirmationToken: token } = proposal
  const words = ui.words()
  const state = h('p', { class: 'state' }, token ? '' : words.waiting)
  const choices = h('div', { class: 'choices' })
  const card = h(
    'section',
    { class: 'card', role: 'group', 'aria-label': title, tabindex: -1 },
    h('small', {}, words.proposal),
    h('h3', {}, title ?? tool),
    summary !== title && h('p', {}, summary),
    h(
      'dl',
      {},
      ...Object.entries(proposal.arguments ?? {}).flatMap(([name, value]) => [
        h('dt', {}, own(labels, name) ?? name.replaceAll('_', ' ')),
        h('dd', {}, own(shown, name) ?? ui.show(value)),
      ]),
    ),
    expiresAt && h('small', {}, words.until.replace('{}', ui.show(expiresAt))),
    state,
    choices,
  )
  const settle = (text: string, good: boolean, ...buttons: readonly HTMLElement[]) => {
    state.textContent = text
    state.classList.toggle('good', good)
    choices.replaceChildren(...buttons)
    // The button that had the focus is gone.
    card.focus()
    ui.say(text)
  }
  const both = () => [button(go, {}, words.confirm), button(() => settle(words.declined, false), {}, words.decline)]
  async function go(): Promise<void> {
    settle(words.working, false)
    try {
      const response = await confirm(actionId, `${token}`)
      const [text, good, open] = outcomeOf(response.status, readJson(await response.text()) as ConfirmOutcome, words)
      settle(text, good === true, ...(open ? both() : []))
    } catch {
      settle(words.lost, false, button(go, {}, words.retry))
    }
  }
  if (token) choices.append(...both())
  return card
}

/** Returns the words for the result of a confirm, whether the write is done, and whether the visitor may try again. */
function outcomeOf(
  http: number,
  { status = '', verification }: ConfirmOutcome,
  words: Words,
): [string, boolean?, boolean?] {
  if (/^(Executed|Replayed)$/.test(status)) {
    const checked = verification?.status
    return checked === 'unverified' ? [words.unverified] : [checked ? words.verified : words.done, true]
  }
  // Without a status the confirm never ran: a limit, an earlier failure, or a token that ended with its action.
  if (/^(FailedRetryable|PreconditionError)$/.test(status) || (!status && (http === 429 || http >= 500)))
    return [words.failed, false, true]
  const known = {
    AwaitingApprovers: words.awaiting,
    Rejected: words.declined,
    Expired: words.expired,
    Indeterminate: words.unknown,
    Conflict: words.unknown,
    PreconditionFailed: words.changed,
  }
  return [own(known, status) ?? (http === 401 || http === 404 ? words.settled : words.refused)]
}
