import { type Html, html } from '../../kernel/html/index.ts'
import { member } from '../../kernel/json/index.ts'
import type { OpenApiDocument } from './document.ts'

type ShownSchema = {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  description?: string
  properties?: Record<string, ShownSchema>
  required?: string[]
  items?: ShownSchema
  anyOf?: ShownSchema[]
}

// Deep enough for every shape that we publish, and an end for one that refers to itself.
const DEEPEST = 4

/** Shows a shape as a list of its members, with nested shapes inside. */
export function schemaView(schema: unknown, document: OpenApiDocument, depth = 0): Html {
  const resolved = resolve(schema as ShownSchema, document)
  const inner = resolved.items === undefined ? resolved : resolve(resolved.items, document)
  if (inner.properties === undefined || depth >= DEEPEST)
    return html`<p class="type">${typeWords(resolved, document)}</p>`
  const required = new Set(inner.required)
  const rows = Object.entries(inner.properties).map(([name, member]) =>
    row(name, member, required.has(name), document, depth),
  )
  return html`<table class="schema"><tbody>${rows}</tbody></table>`
}

function row(name: string, member: ShownSchema, required: boolean, document: OpenApiDocument, depth: number): Html {
  const resolved = resolve(member, document)
  const inner = resolve(resolved.items ?? resolved, document)
  const nested = inner.properties !== undefined && schemaView(resolved, document, depth + 1)
  return html`<tr><td><code>${name}</code>${!required && html` <small>optional</small>`}</td>
<td>${typeWords(resolved, document)}</td><td>${member.description ?? resolved.description}${nested}</td></tr>`
}

function resolve(schema: ShownSchema, document: OpenApiDocument): ShownSchema {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : ((member(document.components.schemas, name) ?? {}) as ShownSchema)
}

function typeWords(schema: ShownSchema, document: OpenApiDocument): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map(String).join(' | ')
  if (schema.anyOf !== undefined)
    return schema.anyOf.map((one) => typeWords(resolve(one, document), document)).join(' | ')
  if (schema.items !== undefined) return `list of ${typeWords(resolve(schema.items, document), document)}`
  return [schema.type ?? 'any'].flat().join(' | ')
}
