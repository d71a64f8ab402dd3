/** What the pages need of the running demo; whoever opened it gives it. */
export type Demo = {
  readonly widgetKey: string
  /** Under which the widget reaches the service. */
  readonly endpoint: string
  readonly products: () => readonly { readonly name: string; readonly price: number; readonly stock: number }[]
  /** A token that says who is signed in with the shop. */
  customerToken(): Promise<string>
  desk(): Promise<unknown>
  decide(actionId: string, decision: 'confirm' | 'reject'): Promise<{ status: number; body: unknown }>
}
