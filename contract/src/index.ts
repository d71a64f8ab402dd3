// What crosses the wire, and nothing else: no I/O, no state. Everyone may import it.
export * from './account.ts'
export * from './errors.ts'
export * from './kinds.ts'
export * from './operator.ts'
export * from './schemas.ts'
export * from './tools.ts'
