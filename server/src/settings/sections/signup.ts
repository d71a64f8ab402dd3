// How businesses sign up by themselves, and how often.
import { section, setting } from '../setting.ts'
import { decimal, domain, emailAddress, flag, listOf, pageAddress, text, whole } from '../shapes.ts'
import { notRandom } from './secrets.ts'

const MANY = 1_000_000
const WEEK_IN_MINUTES = 10_080

export const signup = section('Signup', 'How businesses sign up by themselves.', {
  enabled: setting(flag, {
    default: false,
    meaning: 'Whether a stranger can create a workspace with POST /v1/signup; closed, it answers 404.',
  }),
  ipHashSalt: setting(text({ max: 512, secret: true }), {
    default: '',
    meaning:
      'Keyed into the hash of a visitor address, so that no address is stored; the same on every instance of one database.',
    needed: { make: 'Set it to the output of `openssl rand -hex 32`.' },
    development: (random) => random(24).toString('hex'),
    unsafe: notRandom('openssl rand -hex 32', 16),
  }),
  maxPerIpPerDay: setting(whole(0, MANY), {
    default: 3,
    meaning: 'New workspaces from one client address in 24 hours.',
  }),
  maxPerEmailTotal: setting(whole(1, 1000), {
    default: 1,
    meaning: 'Workspaces that one e-mail address can ever have; aliases and deleted workspaces count.',
  }),
  maxGlobalPerHour: setting(whole(0, MANY), {
    default: 50,
    meaning: 'New workspaces of all callers together in an hour.',
  }),
  blockedEmailDomains: setting(listOf(domain, 'domains such as example.com'), {
    default: [],
    meaning: 'E-mail domains that cannot sign up, beside the built-in list of disposable ones; subdomains too.',
  }),
  verifyEmail: setting(flag, {
    default: false,
    meaning: 'Whether a new workspace must confirm its address before it goes live; needs mail and Signup:VerifyUrl.',
  }),
  verifyUrl: setting(pageAddress, {
    default: '',
    meaning:
      'The page that mailed links open: the service brings one at <Http:PublicUrl>/account/confirm, and any other gets the token as ?confirm= or ?recover=; the same on every instance.',
    needed: {
      make: 'Signup:VerifyEmail needs it: set it to your public address with /account/confirm behind it, or to a page of your own.',
      unless: (read) => read('Signup:VerifyEmail') !== true,
    },
  }),
  linkLifetimeMinutes: setting(decimal(0.001, WEEK_IN_MINUTES), {
    default: 60,
    meaning: 'How long a confirmation link works.',
  }),
  maxLinksPerEmailPerHour: setting(whole(1, MANY), {
    default: 3,
    meaning: 'Links of one kind that one workspace is mailed in an hour; the one of its sign-up counts.',
  }),
  maxLinksPerIpPerDay: setting(whole(0, MANY), {
    default: 10,
    meaning: 'Links that one client address asks for in 24 hours, beside those of sign-ups.',
  }),
  recoveryLinkLifetimeMinutes: setting(decimal(0.001, WEEK_IN_MINUTES), {
    default: 15,
    meaning: 'How long a recovery link works.',
  }),
  notifyAddress: setting(emailAddress, {
    default: '',
    meaning: 'An address of yours that is told of each new workspace; the mail never carries a key.',
  }),
})
