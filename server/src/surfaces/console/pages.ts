// The table of the console's pages, in the order of its menu. Whoever is signed in, with a secret key or as the owner, reaches all of
// them, and nobody else reaches any; a page's forms are reached by whoever reaches the page.
import { waitingNow } from '../../features/decisions/index.ts'
import type { Context } from '../../ground/context/index.ts'
import type { Page } from './page.ts'
import { catalogPage } from './pages/catalog.ts'
import { dangerPage } from './pages/danger.ts'
import { endpointPage } from './pages/endpoint.ts'
import { eventsPage } from './pages/events.ts'
import { homePage } from './pages/home.ts'
import { keysPage } from './pages/keys.ts'
import { websitePage } from './pages/website.ts'
import type { ConsoleRooms, ConsoleVerbs } from './rooms.ts'

export const consolePages = (rooms: ConsoleRooms, parts: ConsoleVerbs): readonly Page[] => [
  homePage(rooms),
  catalogPage(rooms, parts),
  endpointPage(rooms),
  eventsPage(rooms),
  websitePage(),
  keysPage(),
  dangerPage(),
]

/** What stands behind the names in the menu. */
export async function countsOf(ctx: Context): Promise<Readonly<Record<string, number>>> {
  return { '/console/waiting': (await waitingNow(ctx)).count }
}
