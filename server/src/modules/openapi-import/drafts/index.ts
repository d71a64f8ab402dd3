// An import that a person declares in the console, operation by operation: what is kept of its document until its tools are registered.

export { type Choice, declareOpen, declareOperations, type Said } from './declare.ts'
export { draftDuties } from './duties.ts'
export { fetchDocument } from './fetch-document.ts'
export { type DraftMoved, importDraft, registerDraft } from './import-draft.ts'
export { type DraftParts, forgetDraft, keepDraft, mostDraftBytes } from './keep.ts'
export { type DraftOverview, operationsOf, readDraft, type Wanted } from './read.ts'
