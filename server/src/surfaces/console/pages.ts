// The table of the console's pages, in the order of its menu. Whoever is signed in, with a secret key or as the owner, reaches all of
// them, and nobody else reaches any; a page's forms are reached by whoever reaches the page.
import { waitingNow } from '../../features/decisions/index.ts'
import type { Context } from '../../ground/context/index.ts'
import type { Page } from './page.ts'
import { homePage } from './pages/home.ts'
import type { ConsoleRooms } from './rooms.ts'

export const consolePages = (rooms: ConsoleRooms): readonly Page[] => [homePage(rooms)]

/** What stands behind the names in the menu. */
export async function countsOf(ctx: Context): Promise<Readonly<Record<string, number>>> {
  return { '/console/waiting': (await waitingNow(ctx)).count }
}
