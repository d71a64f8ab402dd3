export { type IdKind, isId, newId } from './ids.ts'
export { isKey, newKey } from './key.ts'
export { isUuid, newUuid } from './uuid.ts'
