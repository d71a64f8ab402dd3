// The table of the console's pages, in the order of its menu. Whoever is signed in, with a secret key or as the owner, reaches all of
// them, and nobody else reaches any; a page's forms are reached by whoever reaches the page.
import { waitingNow } from '../../features/decisions/index.ts'
import type { Context } from '../../ground/context/index.ts'
import type { ConsoleRooms, ConsoleVerbs, Page } from '../console-page/index.ts'
import { setupPages } from '../console-setup/index.ts'
import { sourcePages } from '../console-sources/index.ts'
import { auditPage } from './pages/audit.ts'
import { conversationPage } from './pages/conversation.ts'
import { conversationsPage } from './pages/conversations.ts'
import { homePage } from './pages/home.ts'
import { outcomesPage } from './pages/outcomes.ts'
import { playgroundPage } from './pages/playground.ts'
import { usagePage } from './pages/usage.ts'
import { waitingPage } from './pages/waiting.ts'

export const consolePages = (rooms: ConsoleRooms, parts: ConsoleVerbs): readonly Page[] => [
  homePage(rooms),
  waitingPage(rooms),
  conversationsPage(),
  conversationPage(),
  auditPage(),
  outcomesPage(),
  usagePage(rooms),
  ...setupPages(rooms, parts),
  ...sourcePages(rooms, parts),
  playgroundPage(rooms),
]

/** What stands behind the names in the menu. */
export async function countsOf(ctx: Context): Promise<Readonly<Record<string, number>>> {
  return { '/console/waiting': (await waitingNow(ctx)).count }
}
