// The words by which a workspace speaks of its domains, and what pipelines and people suggest for them.
export { vocabularyDuties } from './duties.ts'
export { openVocabulary, type Vocabulary } from './open-vocabulary.ts'
export { readPack, replacePack } from './pack.ts'
export { vocabularyRoutes } from './routes.ts'
