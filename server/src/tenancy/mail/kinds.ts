import type { Language } from '@tether/contract'
import type { z } from 'zod'
import type { House } from '../context/index.ts'
import type { Letter } from './letter.ts'

export type ToWrite<Fields> = {
  readonly tenantId: number
  readonly language: Language
  readonly to: string
  readonly fields: Fields
}

/**
 * A kind of mail belongs to the feature that writes it. The words are made when the mail is sent, not when it is
 * queued: only then is a link sealed or a key read, so that neither is ever in the queue.
 */
type MailKind<Fields = unknown> = {
  readonly kind: string
  readonly fields: z.ZodType<Fields>
  /** Null if there is no longer anything to send, for example because a newer link replaced this one. */
  compose(house: House, mail: ToWrite<Fields>): Promise<Letter | null>
}

export type AnyMailKind = {
  readonly kind: string
  compose(house: House, mail: ToWrite<unknown>): Promise<Letter | null>
}

/** Erases the type of the fields; the check of their shape makes it true again. */
export const anyKind = <Fields>({ kind, fields, compose }: MailKind<Fields>): AnyMailKind => ({
  kind,
  compose: (house, mail) => compose(house, { ...mail, fields: fields.parse(mail.fields) }),
})
