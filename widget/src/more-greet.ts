import { h } from './h.ts'
import { moreWords } from './more-words.ts'
import type { Ui } from './ui.ts'

type Host = HTMLElement & { getCustomerToken?: unknown }

/** Runs once, when the window opens for the first time. */
export function greet(ui: Ui, list: HTMLElement): void {
  // The list stands in the window of the element.
  const host = (list.getRootNode() as ShadowRoot).host as Host
  heed(ui, host, list)
  void tellWhetherModel(ui, list)
}

/** Looks who is signed in when the page says so, and when the visitor comes back to the window. */
function heed(ui: Ui, host: Host, list: HTMLElement): void {
  let present = host.getCustomerToken
  Object.defineProperty(host, 'getCustomerToken', {
    configurable: true,
    get: () => present,
    set(given: unknown) {
      present = given
      void ui.check()
    },
  })
  // The page may have said it before this file came.
  void ui.check()
  list.closest('.panel')?.addEventListener('pointerenter', () => void ui.check())
}

/** Says above the first question what the first answer would say below. */
async function tellWhetherModel(ui: Ui, list: HTMLElement): Promise<void> {
  try {
    const answer = fetch(ui.address('/widget/build'), { credentials: 'omit', referrerPolicy: 'no-referrer' })
    const { offline } = (await (await answer).json()) as { offline?: boolean }
    if (offline) list.before(h('p', {}, h('small', {}, moreWords(ui).noModel)))
  } catch {
    // The first answer says it, too.
  }
}
