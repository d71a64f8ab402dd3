// The pages of the console on which an assistant is given what it knows and may ask.
import type { ConsoleRooms, Page } from '../../../pages/console-kit/index.ts'
import { knowledgePage } from './knowledge.ts'
import { vocabularyPage } from './vocabulary.ts'

export const sourcePages = (rooms: ConsoleRooms): readonly Page[] => [knowledgePage(rooms), vocabularyPage()]
