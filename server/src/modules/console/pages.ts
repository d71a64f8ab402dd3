// The table of the console's pages, in the order of its menu. Whoever is signed in, with a secret key or as the owner, reaches all of
// them, and nobody else reaches any; a page's forms are reached by whoever reaches the page.
import type { ConsoleRooms, ConsoleVerbs, Page, Reader } from '../../pages/console-kit/index.ts'
import { auditPage } from './pages/audit.ts'
import { conversationPage } from './pages/conversation.ts'
import { conversationsPage } from './pages/conversations.ts'
import { homePage } from './pages/home.ts'
import { outcomesPage } from './pages/outcomes.ts'
import { playgroundPage } from './pages/playground.ts'
import { usagePage } from './pages/usage.ts'
import { waitingPage } from './pages/waiting.ts'
import { setupPages } from './setup/index.ts'
import { sourcePages } from './sources/index.ts'

/** `more` are the pages of the modules. */
export function consolePages(rooms: ConsoleRooms, parts: ConsoleVerbs, more: readonly Page[]): readonly Page[] {
  const pages: readonly Page[] = [
    homePage(rooms, () => pages),
    waitingPage(rooms),
    conversationsPage(),
    conversationPage(),
    auditPage(),
    outcomesPage(),
    usagePage(rooms),
    ...setupPages(rooms, parts),
    ...sourcePages(rooms),
    ...more,
    playgroundPage(rooms),
  ]
  return pages
}

/** The page that an address leads to, with what it asks; null where it is none of ours. */
export function knownPlace(pages: readonly Page[], address: string): string | null {
  if (address.length > MOST_ADDRESS || !URL.canParse(address, NOWHERE)) return null
  const { origin, pathname, search } = new URL(address, NOWHERE)
  const isKnown = pages.some(({ path }) => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`).test(pathname))
  return origin === NOWHERE && isKnown ? `${pathname}${search}` : null
}

const NOWHERE = 'http://nowhere.invalid'
const MOST_ADDRESS = 4096

/** What stands behind the names in the menu. */
export async function countsOf(reader: Reader): Promise<Readonly<Record<string, number>>> {
  return { '/console/waiting': (await reader.waiting()).count }
}
