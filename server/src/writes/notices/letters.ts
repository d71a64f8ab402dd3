// The mail that tells somebody what waits for them. Its link opens a page; nothing in it decides anything.
import type { Language } from '@tether/contract'
import { z } from 'zod'
import { type JsonObject, member } from '../../kernel/json/index.ts'
import type { House } from '../../tenancy/context/index.ts'
import { type AnyMailKind, anyKind, namedInMail, type ToWrite } from '../../tenancy/mail/index.ts'
import { findTenant } from '../../tenancy/tenants/index.ts'
import { type Catalog, type Catalogs, latestCatalog } from '../../tools/catalog/index.ts'
import { labelsOf } from '../../tools/labels/index.ts'
import { type ActionRow, findAction, storedArguments } from '../actions/index.ts'
import { findPerson } from '../approvals/index.ts'
import { titleOf } from '../writes/index.ts'
import { choicesOf } from './choices.ts'
import { WORDS } from './letter-words.ts'

export const NOTICE = 'approval_notice'

const Fields = z.object({ personId: z.number(), actionIds: z.array(z.string()) })

// A longer list is read on the page.
const MOST_LISTED = 10
const MOST_LOOKED_AT = 50
const MOST_FACTS = 8

/** What the app hands to this room: the catalogs, and the sealed address that a link fills in. */
type LetterParts = {
  readonly catalogs: () => Catalogs
  readonly sealAddress: (house: House, email: string) => string
}

/** Null where nothing of it waits for this person any longer. */
const composing =
  (parts: LetterParts) =>
  async (house: House, { tenantId, language, to, fields }: ToWrite<z.output<typeof Fields>>) => {
    const { personId, actionIds } = fields
    const person = await findPerson(house, tenantId, personId)
    if (person?.active !== true || person.email?.toLowerCase() !== to.toLowerCase()) return null
    if ((await choicesOf(house, { tenantId, personId })).wanted === 'none') return null
    const waiting = await stillWaiting(house, tenantId, actionIds)
    const [first] = waiting
    if (first === undefined) return null
    const say = WORDS[language]
    const catalog = await latestCatalog(house, parts.catalogs(), tenantId)
    const name = (await findTenant(house, tenantId))?.name
    const workspace = name == null ? null : namedInMail(name)
    const only = waiting.length === 1 ? first : null
    const count = actionIds.length > MOST_LOOKED_AT ? actionIds.length : waiting.length
    const facts =
      only === null
        ? waiting.slice(0, MOST_LISTED).map((action) => [called(action, catalog, language), until(action)] as const)
        : factsOf(only, catalog, language)
    const title = called(first, catalog, language)
    return {
      ...(only === null ? say.several({ workspace, count }) : say.one({ workspace, title })),
      facts,
      button: {
        label: say.button,
        url: addressOf(house, { language, for: parts.sealAddress(house, to), actionId: only?.actionId ?? null }),
      },
      small: [...(count > MOST_LISTED ? [say.more(count - MOST_LISTED)] : []), ...say.small],
    }
  }

async function stillWaiting(house: House, tenantId: number, actionIds: readonly string[]): Promise<ActionRow[]> {
  const found: ActionRow[] = []
  for (const actionId of actionIds.slice(0, MOST_LOOKED_AT)) {
    const action = await house.db.one(findAction, { tenantId, actionId })
    if (action?.state === 'pending' && !action.late) found.push(action)
  }
  return found
}

/** The words are the business's own, but a mail of ours is no place for a link of theirs. */
const called = (action: ActionRow, catalog: Catalog, language: Language): string => {
  const tool = catalog.find(action.tool)
  return namedInMail(tool === undefined ? action.title : titleOf(tool, language)) ?? action.tool
}

const until = ({ expiresAt }: ActionRow): string => `${expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`

function factsOf(action: ActionRow, catalog: Catalog, language: Language): readonly (readonly [string, string])[] {
  const say = WORDS[language]
  const given: JsonObject = storedArguments(action)
  const names = Object.keys(given)
  const tool = catalog.find(action.tool)
  const labels = tool === undefined ? null : labelsOf(tool, names, language)
  const shown = names.slice(0, MOST_FACTS).map((name) => {
    const value = member(given, name) ?? null
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    // A stranger may have said it: what a mail program would make a link of, or is long, is read on the page.
    return [namedInMail(labels?.get(name) ?? name) ?? say.argument, namedInMail(text) ?? say.onThePage] as const
  })
  const rest = names.length - shown.length
  return [
    ...shown,
    ...(rest > 0 ? [[say.further, String(rest)] as const] : []),
    [say.risk, say.risks[action.risk]],
    [say.runsOut, until(action)],
  ]
}

type Where = { readonly language: Language; readonly for: string; readonly actionId: string | null }

/** The sealed address comes last: it ends with a letter or a digit, which no mail program cuts off. */
const addressOf = (house: House, { language, actionId, ...sealed }: Where): string =>
  `${house.settings.mail.inboxBaseUrl}?lang=${language}${actionId === null ? '' : `&action=${actionId}`}&for=${sealed.for}`

export const noticeLetters = (parts: LetterParts): readonly AnyMailKind[] => [
  anyKind({ kind: NOTICE, fields: Fields, compose: composing(parts) }),
]
