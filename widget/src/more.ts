// The second file: what a conversation can do without for a moment. The first one loads it when the window opens.
export { greet } from './more-greet.ts'
export { drawRating as rate } from './more-rating.ts'
export { watch } from './more-watch.ts'
