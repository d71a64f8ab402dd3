import { type Command, type Given, textFlag, UsageError } from './command.ts'

/** For whom a secret key acts. */
export const ACTING_OPTIONS = {
  user: { type: 'string', does: 'the person’s id in your own system, or TETHER_USER_ID' },
  scope: { type: 'string', does: 'the branch or location that is meant' },
} as const satisfies Command['options']

export function acting(given: Pick<Given, 'flags' | 'surroundings'>): Record<string, string> {
  const user = userOf(given)
  const scope = textFlag(given, 'scope')
  return {
    ...(user === undefined ? {} : { 'X-Service-User-Id': String(user) }),
    ...(scope === undefined ? {} : { 'X-Service-Scope-Id': String(positive(scope, '--scope')) }),
  }
}

export function userOf(given: Pick<Given, 'flags' | 'surroundings'>): number | undefined {
  const text = textFlag(given, 'user') ?? given.surroundings.env.TETHER_USER_ID
  return text === undefined || text === '' ? undefined : positive(text, '--user')
}

/** The service takes a header that is no such number for one that was not sent, which nobody means. */
function positive(text: string, name: string): number {
  if (!/^[1-9]\d{0,15}$/.test(text)) throw new UsageError(`${name} must be a positive whole number.`)
  return Number(text)
}
