/** A person's yes to one action. Who decides comes with the context, as `asking.actor`. */
export type ConfirmInput = {
  readonly actionId: string
  readonly acknowledgeHighRisk: boolean
  /** The caller's own key: a confirm that is sent again under it runs nothing. */
  readonly confirmKey: string | null
  /** The hash of what the approver saw. Another one is refused, so that a stale page decides nothing else. */
  readonly payloadHash: string | null
  /** The route or page that the decision came through, as the trail names it. */
  readonly source: string
}
