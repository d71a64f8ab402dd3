export { type IdKind, isId, newId } from './ids.ts'
export { newKey } from './key.ts'
export { isUuid, newUuid } from './uuid.ts'
