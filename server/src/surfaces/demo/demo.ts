import { AuditEvent, Risk, Timestamp } from '@tether/contract'
import { z } from 'zod'

/** What a person has to see before a yes. The arguments stand as text, as they would be sent: a browser's numbers are doubles. */
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
/** The service's own answer, as an integrator would get it. */
export const Decided = z.object({ httpStatus: z.int(), said: z.unknown() })

export const DECISIONS = ['confirm', 'reject', 'reconcile'] as const
export type Decision = (typeof DECISIONS)[number]

/** What the pages need of the running demo; whoever opened it gives it. */
export type Demo = {
  readonly widgetKey: string
  /** Under which the widget reaches the service. */
  readonly endpoint: string
  readonly products: () => readonly { readonly name: string; readonly price: number; readonly stock: number }[]
  /** A token that says who is signed in with the shop. */
  customerToken(): Promise<string>
  desk(): Promise<z.output<typeof DeskState>>
  /** `payloadHash` is of what the person saw. */
  decide(actionId: string, decision: Decision, payloadHash: string): Promise<z.output<typeof Decided>>
}
