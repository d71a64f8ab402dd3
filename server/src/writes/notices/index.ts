// Tells people of the writes that wait for them, in every channel. By mail: each write once, several together, and only what they want to hear of.
export { choicesOf, choose, type NoticeChoices, rememberLanguage } from './choices.ts'
export { noticeDuties } from './duties.ts'
export { noticeLetters } from './letters.ts'
export type { Channel } from './port.ts'
export { WANTED } from './wanted.ts'
