// How businesses sign up themselves, and how often.
import { section, setting } from '../setting.ts'
import { decimal, domain, emailAddress, flag, listOf, pageAddress, text, whole } from '../shapes.ts'
import { notRandom } from './secrets.ts'

const MANY = 1_000_000
const WEEK_IN_MINUTES = 10_080

export const signup = section('Signup', 'How businesses sign up themselves.', {
  enabled: setting(flag, {
    default: false,
    meaning: 'Whether a stranger can create a workspace with POST /v1/signup. If not, it answers 404.',
  }),
  ipHashSalt: setting(text({ max: 512, secret: true }), {
    default: '',
    meaning:
      'The salt in the hash of a visitor’s address, so that no address is stored. It must be the same on every instance of one database.',
    needed: { make: 'Set it to the output of `openssl rand -hex 32`.' },
    development: (random) => random(24).toString('hex'),
    unsafe: notRandom('openssl rand -hex 32', 16),
  }),
  maxPerIpPerDay: setting(whole(0, MANY), {
    default: 3,
    meaning: 'The most new workspaces from one client address in 24 hours.',
  }),
  maxPerEmailTotal: setting(whole(1, 1000), {
    default: 1,
    meaning: 'The most workspaces that one e-mail address can ever have. Aliases and deleted workspaces count.',
  }),
  maxGlobalPerHour: setting(whole(0, MANY), {
    default: 50,
    meaning: 'The most new workspaces of all callers together in an hour.',
  }),
  blockedEmailDomains: setting(listOf(domain, 'domains such as example.com'), {
    default: [],
    meaning:
      'E-mail domains that cannot sign up, besides the built-in list of disposable ones. Subdomains are included.',
  }),
  verifyEmail: setting(flag, {
    default: false,
    meaning:
      'Whether a new workspace must confirm its address before it goes live. It needs mail and Signup:VerifyUrl.',
  }),
  verifyUrl: setting(pageAddress, {
    default: '',
    meaning:
      'The page that every mailed link opens, with the token as ?confirm=, ?recover= or ?verify=. The service has one at /account/confirm, behind Http:PublicUrl. It must be the same on every instance.',
    needed: {
      make: 'Signup:VerifyEmail needs it. Set it to your public address followed by /account/confirm, or to a page of your own.',
      unless: (read) => read('Signup:VerifyEmail') !== true,
    },
  }),
  linkLifetimeMinutes: setting(decimal(0.001, WEEK_IN_MINUTES), {
    default: 60,
    meaning: 'How long a confirmation link works.',
  }),
  maxLinksPerEmailPerHour: setting(whole(1, MANY), {
    default: 3,
    meaning:
      'The most links of one kind that are mailed to one workspace in an hour, including the one of its sign-up.',
  }),
  maxLinksPerIpPerDay: setting(whole(0, MANY), {
    default: 10,
    meaning: 'The most links that one client address may ask for in 24 hours, besides those of sign-ups.',
  }),
  recoveryLinkLifetimeMinutes: setting(decimal(0.001, WEEK_IN_MINUTES), {
    default: 15,
    meaning: 'How long a recovery link works.',
  }),
  notifyAddress: setting(emailAddress, {
    default: '',
    meaning: 'Your address for a mail about each new workspace. The mail never contains a key.',
  }),
})
