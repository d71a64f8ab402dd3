// The kinds of key and the three letters that begin one. The letters are a fact of the wire; the rest of the service
// uses kinds.
export const KEY_PREFIXES = {
  secret: 'tth',
  agent: 'tag',
  publishable: 'tpk',
  action: 'tac',
  provider: 'tpv',
  inbox: 'tib',
  /** An inbox key that signs in the people of all businesses of a provider. */
  provider_inbox: 'tib',
  sandbox: 'tsb',
  ci: 'tci',
  /** A CI key that may also replace existing knowledge documents. */
  ci_replace: 'tci',
} as const

export type KeyKind = keyof typeof KEY_PREFIXES

/** The kinds that an account may issue itself. The verb that needs one of the other kinds mints it. */
export const ISSUABLE_KINDS = ['secret', 'publishable', 'agent', 'inbox', 'ci'] as const
export type IssuableKind = (typeof ISSUABLE_KINDS)[number]

export const KEY_SHAPE = /^(?:tth|tag|tpk|tac|tpv|tib|tsb|tci)_[0-9a-f]{48}$/
export const KEY_PREFIX_LENGTH = 12

export const PLANS = ['free', 'bring_your_ai', 'use_tether_ai', 'Free', 'Starter', 'Growth', 'Enterprise'] as const
export type Plan = (typeof PLANS)[number]
