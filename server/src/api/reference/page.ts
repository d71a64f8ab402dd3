import { type Html, html } from '../../kernel/html/index.ts'
import { member } from '../../kernel/json/index.ts'
import type { OpenApiDocument, Operation } from './document.ts'

type ListedOperation = { method: string; path: string; operation: Operation }

const entriesOf = (document: OpenApiDocument): ListedOperation[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )

/** The reference for people. It works without scripts and loads only its own style sheet. */
export function referencePage(document: OpenApiDocument): Html {
  const groups = Map.groupBy(entriesOf(document), ({ operation }) => operation.tags[0] ?? 'Other')
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${document.info.title} · API reference</title>
<link rel="stylesheet" href="/swagger/style.css">
</head>
<body>
<a class="skip" href="#routes">Skip to the routes</a>
<nav aria-label="Routes">
<p class="brand">${document.info.title} <span>${document.info.version}</span></p>
${[...groups].map(([group, entries]) => html`<h2>${group}</h2><ul>${entries.map(link)}</ul>`)}
</nav>
<main id="routes">
<header>
<h1>API reference</h1>
<p>${document.info.description}</p>
<p>Also available as <a href="/openapi">OpenAPI 3.1 JSON</a>. Send your key as <code>X-Api-Key</code>, or as <code>Authorization: Bearer</code>.</p>
<p>The lines under “Try it” run in a shell in which you have pasted the <code>exportLines</code> of a sign-up. Where another kind of key reaches a route, set
<code>TETHER_API_KEY</code> to one. <code>$SESSION</code> is the token of a user session, and <code>$OPERATOR_KEY</code> is <code>Operator:ApiKey</code>.</p>
</header>
${[...groups].map(([group, entries]) => html`<h2 class="group">${group}</h2>${entries.map((entry) => article(entry, document))}`)}
</main>
</body>
</html>`
}

const badge = (method: string): Html => html`<span class="method ${method.toLowerCase()}">${method}</span>`

const link = ({ method, path, operation }: ListedOperation): Html =>
  html`<li><a href="#${operation.operationId}">${badge(method)} <span>${breakable(path)}</span></a></li>`

/** A path that does not fit on a line goes on at a slash. */
const breakable = (path: string): readonly Html[] =>
  path.split(/(?=\/)/).map((part, at) => html`${at > 0 && html`<wbr>`}${part}`)

function article(entry: ListedOperation, document: OpenApiDocument): Html {
  const { method, path, operation } = entry
  return html`<article id="${operation.operationId}">
<h3>${badge(method)} <code>${path}</code></h3>
<p class="summary">${operation.summary}</p>
${operation.description !== undefined && html`<p>${operation.description}</p>`}
<p class="reach">Reached by ${operation['x-reach'].map((who) => html`<span class="who">${who}</span> `)}· lane ${operation['x-lane']}</p>
${parameters(operation)}
${operation.requestBody && html`<h4>Body</h4>${schemaView(operation.requestBody.content['application/json']?.schema, document)}`}
<h4>Try it</h4><pre><code>${curl(entry, document)}</code></pre>
<h4>Answers</h4>${Object.entries(operation.responses).map(([status, answer]) => answerView(status, answer, document))}
</article>`
}

function parameters({ parameters }: Operation): Html | false {
  if (parameters.length === 0) return false
  const rows = parameters.map(
    ({ name, in: where, required, description, schema }) => html`<tr>
<td><code>${name}</code></td><td>${where}${required && ' · required'}</td><td>${(schema as { type?: string }).type}</td><td>${description}</td></tr>`,
  )
  return html`<h4>Parameters</h4><table><tbody>${rows}</tbody></table>`
}

function answerView(status: string, answer: Operation['responses'][string], document: OpenApiDocument): Html {
  const schema = answer.content?.['application/json']?.schema
  // Every error has the same shape. A reader looks for its codes.
  if (Number(status) >= 400) {
    const [names = ''] = /(?:`\w+`(?:, )?)*$/.exec(answer.description) ?? []
    const words = answer.description.slice(0, answer.description.length - names.length)
    const codes = [...names.matchAll(/\w+/g)].map((code) => html`<code>${code}</code> `)
    return html`<p class="answer bad"><b>${status}</b> ${words}${codes}</p>`
  }
  return html`<div class="answer"><b>${status}</b> ${answer.description}${schema !== undefined && schemaView(schema, document)}</div>`
}

/** Without it the line would be refused: a page's key works from its page, and a decision needs somebody who decides. */
function isNeeded(header: string, { operationId, 'x-reach': reach }: Operation): boolean {
  if (header === 'Origin') return reach.every((kind) => kind === 'publishable')
  if (header === 'X-Service-User-Session') return reach.every((kind) => kind.endsWith('with a user session'))
  return header === 'X-Service-User-Id' && operationId.startsWith('post_actions_')
}

/** What nobody else can fill in stands as a variable of the shell. */
const VARIABLES: Readonly<Record<string, string>> = { 'X-Service-User-Session': '$SESSION' }

/** What has an example is needed, or worth trying. */
function queryOf({ parameters }: Operation): string {
  const given = parameters.filter((one) => one.in === 'query' && one.example !== undefined)
  const query = new URLSearchParams(given.map(({ name, example }): [string, string] => [name, String(example)]))
  return given.length === 0 ? '' : `?${query}`
}

function curl({ method, path, operation }: ListedOperation, document: OpenApiDocument): string {
  const filled = path.replace(/\{([a-zA-Z]+)\}/g, (_, name: string) =>
    String(operation.parameters.find((parameter) => parameter.name === name)?.example ?? `<${name}>`),
  )
  const example = operation.requestBody?.content['application/json']?.example
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${document.servers[0]?.url ?? ''}${filled}${queryOf(operation)}`,
    ...(operation.security.length > 0
      ? [`-H "X-Api-Key: $${operation['x-reach'].includes('operator') ? 'OPERATOR_KEY' : 'TETHER_API_KEY'}"`]
      : []),
    ...operation.parameters.flatMap(({ name, in: where, example }) =>
      where === 'header' && isNeeded(name, operation) ? [`-H "${name}: ${member(VARIABLES, name) ?? example}"`] : [],
    ),
    ...(example === undefined ? [] : [`-d '${JSON.stringify(example)}'`]),
  ].join(' \\\n  ')
}

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
function schemaView(schema: unknown, document: OpenApiDocument, depth = 0): Html {
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
