// The page of the console that imports an OpenAPI document.
export { importPage } from './import.ts'
