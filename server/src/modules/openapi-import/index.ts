// An API from its OpenAPI document: the draft, what a person declared of it, and with what the API is called.

export { changeImportedApi } from './change-api.ts'
export { placeImport, readImport } from './copy.ts'
export { openYamlQueue } from './document/read-yaml.ts'
export { draftOfDocument } from './draft.ts'
export { type ImportParts, importApi } from './import-api.ts'
export { sealedCredentials } from './queries.ts'
export { importedApiOf, importOf } from './read-import.ts'
export { importRoutes } from './routes.ts'
