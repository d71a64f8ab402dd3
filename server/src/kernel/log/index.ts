export { type Log, type LogOptions, type LogStream, openLog } from './log.ts'
export { seldom } from './seldom.ts'
