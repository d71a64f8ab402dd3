// What a page of the console is made of: its type, the frame, forms and tables, plots, and the words that all pages share.
export { PLACE, refusedList, UUID, wrongAskNote, wrongAskOf } from './asks.ts'
export { filtered, filterForm, given } from './filters.ts'
export { addressOf, alone, framed, tokenField } from './frame.ts'
export type {
  Asked,
  ConsoleRooms,
  ConsoleVerbs,
  Outcome,
  Page,
  PageFile,
  Posted,
  Reader,
  Shown,
  Take,
  Tell,
  Words,
} from './page.ts'
export {
  afterOf,
  areaField,
  badge,
  blockPart,
  box,
  checkField,
  choiceField,
  count,
  dayText,
  fileField,
  money,
  note,
  pageForm,
  type SameCall,
  sameCall,
  table,
  textField,
  typedOr,
} from './parts.ts'
export { barPlot, ceilingOf, type Day, type Series } from './plot.ts'
export { refusedWords } from './refused.ts'
export { consoleLetters, tokenIn } from './sign-in-link.ts'
export { WORDS } from './words.ts'
