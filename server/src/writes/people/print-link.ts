import { newUuid } from '../../kernel/ids/index.ts'
import type { House } from '../../tenancy/context/index.ts'
import { sealSignIn } from './links.ts'
import { insertLink } from './queries.ts'

const MINUTES = 24 * 60
const MINUTE_MS = 60_000

/**
 * The token of a link that nobody is mailed: a start of Development prints it for whoever sits there. It works once, like every link,
 * and for a day, because a screen is read later than a mailbox.
 */
export async function signInToPrint(
  house: Pick<House, 'db' | 'clock' | 'keyring' | 'settings'>,
  { tenantId, personId }: { readonly tenantId: number; readonly personId: number },
): Promise<string> {
  const { db, clock, settings } = house
  if (settings.environment !== 'Development') throw new Error('Only Development prints a link to sign in.')
  const linkId = newUuid(clock.now())
  await db.run(insertLink, { tenantId, linkId, personId, email: null, minutes: MINUTES })
  return sealSignIn(house, { tenantId, linkId }, new Date(clock.now() + MINUTES * MINUTE_MS))
}
