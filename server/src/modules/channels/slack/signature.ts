import { equalBytes, hmacSha256 } from '../../../kernel/crypto/index.ts'

/** Slack asks for no more. */
export const WINDOW_SECONDS = 300

export type SlackSignature = { readonly timestamp: string; readonly signature: string }

/** Null unless both headers are there, once, and of their form. */
export function signatureIn(valuesOf: (header: string) => readonly string[]): SlackSignature | null {
  const [timestamp, ...otherTimes] = valuesOf('x-slack-request-timestamp')
  const [signature, ...others] = valuesOf('x-slack-signature')
  if (timestamp === undefined || signature === undefined || otherTimes.length > 0 || others.length > 0) return null
  if (!/^\d{1,12}$/.test(timestamp) || !/^v0=[0-9a-f]{64}$/.test(signature)) return null
  return { timestamp, signature }
}

export const isTimely = ({ timestamp }: SlackSignature, nowMs: number): boolean =>
  Math.abs(nowMs / 1000 - Number(timestamp)) <= WINDOW_SECONDS

/** Takes as long for a wrong signature as for a right one. */
export function proves({ timestamp, signature }: SlackSignature, secret: string, bytes: Buffer): boolean {
  const made = `v0=${hmacSha256(secret, `v0:${timestamp}:`, bytes).toString('hex')}`
  return equalBytes(Buffer.from(made), Buffer.from(signature))
}
