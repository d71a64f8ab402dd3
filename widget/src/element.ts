import { type GetCustomerToken, openAssistant } from './assistant.ts'

export class ServiceAssistant extends HTMLElement {
  static observedAttributes = ['lang', 'launcher-label', 'greeting', 'placeholder', 'accent', 'strings']

  /** Set by the page; asked before every request. Only declared, so that one set before this script came stays. */
  declare getCustomerToken?: GetCustomerToken

  readonly #assistant = openAssistant(this)

  connectedCallback(): void {
    this.#assistant.arrive()
  }

  disconnectedCallback(): void {
    // Whoever is back by then was only moved.
    queueMicrotask(() => this.isConnected || this.#assistant.leave())
  }

  attributeChangedCallback(): void {
    this.#assistant.relabel()
  }

  open(): void {
    this.#assistant.open()
  }

  close(): void {
    this.#assistant.close()
  }
}
