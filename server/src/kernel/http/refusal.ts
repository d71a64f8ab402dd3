import type { ErrorCode, ErrorExtras } from '@tether/contract'

/** A "no" with a code from the closed table, which gives it its status. Any room may throw one. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: ErrorCode
  readonly extras: ErrorExtras
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ErrorCode, message: string, extras: ErrorExtras = {}, headers: Record<string, string> = {}) {
    super(message)
    this.code = code
    this.extras = extras
    this.headers = headers
  }
}

export const refuse = (
  code: ErrorCode,
  message: string,
  extras?: ErrorExtras,
  headers?: Record<string, string>,
): Refusal => new Refusal(code, message, extras, headers)
