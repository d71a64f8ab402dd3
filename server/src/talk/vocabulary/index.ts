// The words by which a workspace speaks of its domains, and what pipelines and people suggest for them.
export { type DomainDifference, differenceOf } from './compare.ts'
export { acceptSuggestion, dismissSuggestion } from './decide.ts'
export { vocabularyDuties } from './duties.ts'
export { BODY_LIMIT as lexiconBytes } from './limits.ts'
export { listSuggestions, readSuggestion } from './list.ts'
export { openVocabulary } from './open-vocabulary.ts'
export { readPack, replacePack } from './pack.ts'
export { vocabularyRoutes } from './routes.ts'
