export const UPSTREAM_NAME = /^[a-z][a-z0-9_]{0,31}$/

/** `createIssue` of `github` is `github_create_issue` in the catalog. */
export const catalogName = (upstream: string, tool: string): string => `${upstream}_${snakeCase(tool)}`

const snakeCase = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
