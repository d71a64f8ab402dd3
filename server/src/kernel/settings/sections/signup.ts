// How businesses sign up themselves, and how often.
import { section } from '../setting.ts'
import { decimal, domain, emailAddress, flag, listOf, pageAddress, text, whole } from '../shapes.ts'
import { notRandom } from './secrets.ts'

const MANY = 1_000_000
const WEEK_IN_MINUTES = 10_080

export const signup = section('Signup', 'How businesses sign up themselves.', {
  enabled: flag(false).describe(
    'Whether a stranger can create a workspace with POST /v1/signup. If not, it answers 404.',
  ),
  ipHashSalt: text({ max: 512, secret: true })
    .default('')
    .describe(
      'The salt in the hash of a visitor’s address, so that no address is stored. It must be the same on every instance of one database.',
      {
        needed: { make: 'Set it to the output of `openssl rand -hex 32`.' },
        development: (random) => random(24).toString('hex'),
        unsafe: notRandom('openssl rand -hex 32', 16),
      },
    ),
  maxPerIpPerDay: whole(0, MANY, 3).describe('The most new workspaces from one client address in 24 hours.'),
  maxPerEmailTotal: whole(1, 1000, 1).describe(
    'The most workspaces that one e-mail address can ever have. Aliases and deleted workspaces count.',
  ),
  maxGlobalPerHour: whole(0, MANY, 50).describe('The most new workspaces of all callers together in an hour.'),
  blockedEmailDomains: listOf(domain, 'domains such as example.com')
    .default([])
    .describe(
      'E-mail domains that cannot sign up, besides the built-in list of disposable ones. Subdomains are included.',
    ),
  verifyEmail: flag(false).describe(
    'Whether a new workspace must confirm its address before it goes live. It needs mail and Signup:VerifyUrl.',
  ),
  verifyUrl: pageAddress
    .default('')
    .describe(
      'The page that every mailed link opens, with the token as ?confirm=, ?recover= or ?verify=. The service has one at /account/confirm, behind Http:PublicUrl. It must be the same on every instance.',
      {
        needed: {
          make: 'Signup:VerifyEmail needs it. Set it to your public address followed by /account/confirm, or to a page of your own.',
          unless: (read) => read('Signup:VerifyEmail') !== true,
        },
      },
    ),
  linkLifetimeMinutes: decimal(0.001, WEEK_IN_MINUTES, 60).describe('How long a confirmation link works.'),
  maxLinksPerEmailPerHour: whole(1, MANY, 3).describe(
    'The most links of one kind that are mailed to one workspace in an hour, including the one of its sign-up.',
  ),
  maxLinksPerIpPerDay: whole(0, MANY, 10).describe(
    'The most links that one client address may ask for in 24 hours, besides those of sign-ups.',
  ),
  recoveryLinkLifetimeMinutes: decimal(0.001, WEEK_IN_MINUTES, 15).describe('How long a recovery link works.'),
  notifyAddress: emailAddress
    .default('')
    .describe('Your address for a mail about each new workspace. The mail never contains a key.'),
})
