import { AuditEvent, Risk, Timestamp } from '@tether/contract'
import { z } from 'zod'

/** Everything that a person must see before they approve. Arguments are exact text, because a browser's numbers are doubles. */
export const DeskAction = z.object({
  actionId: z.uuid(),
  tool: z.string(),
  title: z.string(),
  risk: Risk,
  status: z.enum(['pending', 'indeterminate']),
  subject: z.string().nullable(),
  payloadHash: z.string(),
  expiresAt: Timestamp,
  arguments: z.array(z.tuple([z.string(), z.string()])),
})
export const DeskState = z.object({ actions: z.array(DeskAction), events: z.array(AuditEvent) })
/** The service's own answer, as an integrator gets it. */
export const DecisionAnswer = z.object({ httpStatus: z.int(), said: z.unknown() })

export const DECISIONS = ['confirm', 'reject', 'reconcile'] as const
export type Decision = (typeof DECISIONS)[number]

/** What the pages need from the running demo. */
export type Demo = {
  readonly widgetKey: string
  /** The address at which the widget reaches the service. */
  readonly endpoint: string
  readonly products: () => readonly { readonly name: string; readonly price: number; readonly stock: number }[]
  /** Returns a token that says who is signed in to the shop. */
  customerToken(): Promise<string>
  desk(): Promise<z.output<typeof DeskState>>
  /** `payloadHash` is the hash of what the person saw. */
  decide(actionId: string, decision: Decision, payloadHash: string): Promise<z.output<typeof DecisionAnswer>>
}
