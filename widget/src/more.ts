// The second file: what a conversation can do without for a moment. The first one loads it when the window opens.
export { below } from './more-below.ts'
export { greet } from './more-greet.ts'
