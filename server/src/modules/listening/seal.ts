import type { ListenAnswer } from '@tether/contract'
import type { Keyring, Place } from '../../kernel/crypto/index.ts'
import type { Delivered } from './listeners.ts'

// Both hold what a business asks and answers, and the signature that its receiver believes.
const placeOf = (tenantId: number, column: 'request' | 'answer', row: string): Place => ({
  table: 'listener_requests',
  column,
  tenantId,
  row,
})

export const sealRequest = (keyring: Keyring, tenantId: number, sealId: string, delivered: Delivered): string =>
  keyring.seal(JSON.stringify(delivered), placeOf(tenantId, 'request', sealId))

/** @throws SecretUnreadable. What opens there is what `sealRequest` has sealed. */
export const openRequest = (keyring: Keyring, tenantId: number, sealId: string, sealed: string): Delivered =>
  JSON.parse(keyring.open(sealed, placeOf(tenantId, 'request', sealId))) as Delivered

type Answered = { readonly tenantId: number; readonly epoch: string }

export const sealAnswer = (keyring: Keyring, { tenantId, epoch }: Answered, answer: ListenAnswer): string =>
  keyring.seal(JSON.stringify(answer), placeOf(tenantId, 'answer', `${epoch} ${answer.number}`))

/** @throws SecretUnreadable. What opens there is what `sealAnswer` has sealed. */
export const openAnswer = (
  keyring: Keyring,
  { tenantId, epoch, number }: Answered & { readonly number: number },
  sealed: string,
): ListenAnswer => JSON.parse(keyring.open(sealed, placeOf(tenantId, 'answer', `${epoch} ${number}`))) as ListenAnswer
