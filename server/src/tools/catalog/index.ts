// The catalog: what a tenant registered, and so everything that a model can call.
export { argumentsFit, argumentsTooLarge, checkArguments, prepareParameters } from './argument-schema.ts'
export { type Catalog, type Catalogs, latestCatalog, openCatalogs, readCatalog } from './catalogs.ts'
export { boundHolds, evaluateCheck, readArguments } from './check.ts'
export { readPath } from './dot-path.ts'
export {
  type ArgumentPlace,
  type Fixed,
  type HttpBinding,
  type Method,
  type Place,
  STYLES,
  type Style,
} from './http-binding.ts'
export { asOneHeader, climbs, credentialFault, isServiceHeader } from './http-rules.ts'
export { mostCatalogCharacters, mostTools } from './limits.ts'
export { registering } from './queries.ts'
export { type Check, type Operator, type ReadCheck, writtenCheck } from './read-check.ts'
export {
  type CatalogParts,
  catalogChanged,
  type DeclaredUpstream,
  registerCatalog,
  registrationOf,
  replaceVersion,
  tryCatalog,
} from './register.ts'
export { catalogRoutes } from './routes.ts'
export { actionStatusName, reservedName, type Tool, toolNamePattern } from './tool-spec.ts'
export { trimResult } from './trim.ts'
export { validateCatalog, validateCatalogInTurns } from './validate.ts'
export { type CatalogDifference, catalogVersions, compareVersions } from './versions.ts'
