export { type Log, type LogFields, type LogLevel, type LogOptions, type LogStream, openLog } from './log.ts'
export { scrub } from './scrub.ts'
export { seldom } from './seldom.ts'
