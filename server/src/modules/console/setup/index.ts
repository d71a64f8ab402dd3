// The pages of the console on which a workspace is set up.
import type { ConsoleRooms, ConsoleVerbs, Page } from '../../../pages/console-kit/index.ts'
import { catalogPage } from './catalog.ts'
import { dangerPage } from './danger.ts'
import { endpointPage } from './endpoint.ts'
import { eventsPage } from './events.ts'
import { keysPage } from './keys.ts'
import { peoplePage } from './people.ts'
import { websitePage } from './website.ts'

export const setupPages = (rooms: ConsoleRooms, verbs: ConsoleVerbs): readonly Page[] => [
  catalogPage(rooms, verbs),
  endpointPage(rooms),
  eventsPage(rooms),
  websitePage(),
  peoplePage(rooms, verbs),
  keysPage(),
  dangerPage(),
]
