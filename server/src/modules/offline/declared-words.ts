// A business that says in Georgian what its tools are called need not say it again in their descriptions: here the one is read as a
// part of the other.
import { isObject, type JsonObject, member } from '../../kernel/json/index.ts'
import { memoized } from '../../kernel/memo/index.ts'
import type { OfferedTool } from '../../kernel/model/index.ts'

export const withDeclaredWords = memoized((tool: OfferedTool): OfferedTool => {
  const declared = tool.labels?.ka
  if (declared === undefined) return tool
  const { title, parameters = {} } = declared
  const description = title === undefined ? tool.description : `${tool.description} · ${title}`
  return { ...tool, description, parameters: described(tool.parameters, parameters) }
})

function described(schema: unknown, labels: Readonly<Record<string, string>>): unknown {
  const properties = isObject(schema) ? member(schema, 'properties') : undefined
  if (!isObject(schema) || !isObject(properties)) return schema
  const own = Object.entries(properties).map(([name, property]) => {
    const label = Object.hasOwn(labels, name) ? labels[name] : undefined
    return [name, label !== undefined && isObject(property) ? withLabel(property, label) : property] as const
  })
  return { ...schema, properties: Object.fromEntries(own) }
}

function withLabel(property: JsonObject, label: string): JsonObject {
  const description = member(property, 'description')
  return { ...property, description: typeof description === 'string' ? `${description} · ${label}` : label }
}
