/** What the page needs from the running demo. */
export type Demo = {
  readonly widgetKey: string
  /** Where the service is, with the port that it listens on. */
  readonly url: string
  /** Where whoever decides signs in. */
  readonly inboxUrl: string
  readonly products: () => readonly { readonly name: string; readonly price: number; readonly stock: number }[]
  /** Returns a token that says who is signed in to the shop. */
  customerToken(): Promise<string>
}
