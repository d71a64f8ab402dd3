// Whose each table is, and who else writes it. `npm run check` holds the SQL to both, and HOUSE.md to the second.
import { TABLES } from '../server/migrations/tables.ts'

export type Change = 'insert' | 'update' | 'delete'

/** The room that each table belongs to, and that may change it in every way. */
export const OWNERS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(TABLES).map(([table, { owner }]) => [table, owner]),
)

export type Guest = {
  readonly table: string
  readonly room: string
  readonly may: readonly Change[]
  readonly why: string
}

/** Who else may do what to a table. Whatever is not listed is shut, and a line that nothing needs is a fault. */
export const GUESTS: readonly Guest[] = [
  {
    table: 'keys',
    room: 'ground/tenants',
    may: ['insert', 'update'],
    why: 'a tenant begins with its first key, and a compromise revokes them all and issues one',
  },
  {
    table: 'keys',
    room: 'features/actions',
    may: ['insert', 'delete'],
    why: 'the token of an action is issued with the action, and forgotten a day after it',
  },
  {
    table: 'keys',
    room: 'features/signup',
    may: ['insert', 'update'],
    why: 'a recovery that is redeemed revokes the secret keys and issues one',
  },
  {
    table: 'keys',
    room: 'features/previews',
    may: ['update'],
    why: 'a sandbox that is claimed and the life of its key are one statement',
  },
  {
    table: 'user_sessions',
    room: 'features/people',
    may: ['insert'],
    why: 'a link that is spent and the session that it opens are one statement',
  },
  {
    table: 'user_sessions',
    room: 'features/approvals',
    may: ['update'],
    why: 'whoever is set inactive, or removed, is signed out in the same statement',
  },
  {
    table: 'sign_in_links',
    room: 'features/approvals',
    may: ['update'],
    why: 'a change of an address spends the links that were mailed to the old one',
  },
  {
    table: 'console_sessions',
    room: 'features/signup',
    may: ['insert'],
    why: 'a link to the console that is spent and the session that it opens are one statement',
  },
  {
    table: 'console_sessions',
    room: 'ground/tenants',
    may: ['update'],
    why: 'sessions of the console end with the keys after a leak, and with the address whose link opened them',
  },
  {
    table: 'tenants',
    room: 'ground/access',
    may: ['update'],
    why: 'who is a provider is said with the key of a provider, and unsaid with it',
  },
  {
    table: 'tenants',
    room: 'features/catalog',
    may: ['update'],
    why: 'the row counts the versions of the catalog, because it is read with every credential',
  },
  {
    table: 'tenants',
    room: 'features/embed',
    may: ['update'],
    why: 'origins are held or let in by what the row says of the address; the brand stands beside them',
  },
  {
    table: 'tenants',
    room: 'features/knowledge',
    may: ['update'],
    why: 'the row counts the changes of the documents, because it is read with every credential',
  },
  {
    table: 'tenants',
    room: 'features/previews',
    may: ['update'],
    why: 'the row counts the changes of the preview, because it is read with every credential; a site’s brand becomes that of a workspace without one',
  },
  {
    table: 'tenants',
    room: 'features/signup',
    may: ['update'],
    why: 'a recovery that is redeemed rotates the signing secret',
  },
  {
    table: 'tenants',
    room: 'features/upstreams',
    may: ['update'],
    why: 'the tools of an upstream and the catalog that they are a part of are one statement, and the row counts both',
  },
  {
    table: 'tenants',
    room: 'features/vocabulary',
    may: ['update'],
    why: 'the row counts the versions of the vocabulary, because it is read with every credential',
  },
  {
    table: 'catalogs',
    room: 'features/upstreams',
    may: ['insert', 'update'],
    why: 'an upstream that is declared is a new version of the catalog, in one statement, by `registering`',
  },
  {
    table: 'account_events',
    room: 'ground/access',
    may: ['insert'],
    why: 'a key that is issued, rotated or revoked is an account event',
  },
  {
    table: 'account_events',
    room: 'features/signup',
    may: ['insert'],
    why: 'a recovery that is asked for or redeemed is an account event',
  },
  {
    table: 'sessions',
    room: 'features/handoffs',
    may: ['update'],
    why: 'the turn that handed a conversation over and the event of it are one statement',
  },
  {
    table: 'sessions',
    room: 'features/conversations',
    may: ['update'],
    why: 'who answers a conversation stands in its row, because each turn reads it',
  },
  {
    table: 'conversation_messages',
    room: 'features/chat',
    may: ['delete'],
    why: 'a conversation that is erased and what people wrote in it are one statement',
  },
  {
    table: 'undelivered_events',
    room: 'features/chat',
    may: ['delete'],
    why: 'what was said in a conversation that is erased is also in the bodies of its events',
  },
  {
    table: 'audit_events',
    room: 'features/actions',
    may: ['insert'],
    why: 'a transition and its line in the trail are one statement',
  },
  {
    table: 'notices_due',
    room: 'features/actions',
    may: ['insert'],
    why: 'a write that begins to wait and the notice of it are one statement',
  },
  {
    table: 'notices_due',
    room: 'features/reminders',
    may: ['insert'],
    why: 'a reminder, its mark on the write and its notice are one statement',
  },
  {
    table: 'actions',
    room: 'features/reminders',
    may: ['update'],
    why: 'a write keeps when it was last told of, and how often, so that each reminder is one',
  },
  {
    table: 'outbox',
    room: 'features/actions',
    may: ['insert'],
    why: 'a transition and its event are one statement, by `announced`',
  },
  {
    table: 'outbox',
    room: 'features/handoffs',
    may: ['insert'],
    why: 'a handoff and its event are one statement, by `announced`',
  },
  {
    table: 'outbox',
    room: 'features/conversations',
    may: ['insert'],
    why: 'what a visitor says to a person and the event of it are one statement, by `announced`',
  },
  {
    table: 'outbox',
    room: 'features/reminders',
    may: ['insert'],
    why: 'a reminder and its event are one statement, by `announced`',
  },
]

/** Deletes what belongs to a tenant, in whosever table it stands, when the tenant is deleted. */
export const ERASER = { room: 'ground/tenants', statement: 'tenants.erase_' } as const
