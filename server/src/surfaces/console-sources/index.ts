// The pages of the console on which an assistant is given what it knows and may ask.
import type { ConsoleRooms, ConsoleVerbs, Page } from '../console-page/index.ts'
import { importPage } from './import.ts'
import { knowledgePage } from './knowledge.ts'

export const sourcePages = (rooms: ConsoleRooms, verbs: ConsoleVerbs): readonly Page[] => [
  importPage(rooms, verbs),
  knowledgePage(rooms),
]
