import { z } from 'zod'

type SchemaObject = Record<string, unknown>

/** Turns the contract's shapes into JSON Schema. A named shape is written once and then referred to. */
export class JsonSchemas {
  readonly #named = new Map<string, SchemaObject>()

  request(schema: z.ZodType): SchemaObject {
    return this.#convert(schema, 'input')
  }

  answer(schema: z.ZodType): SchemaObject {
    return this.#convert(schema, 'output')
  }

  /** Converts a shape without naming it, for parameters. */
  inline(schema: z.ZodType): SchemaObject {
    return tidy(z.toJSONSchema(schema, { io: 'input', target: 'draft-2020-12' }) as SchemaObject)
  }

  named(): Record<string, SchemaObject> {
    return Object.fromEntries([...this.#named].sort(([one], [other]) => one.localeCompare(other)))
  }

  #convert(schema: z.ZodType, io: 'input' | 'output'): SchemaObject {
    const { $defs = {}, ...rest } = z.toJSONSchema(schema, { io, target: 'draft-2020-12' }) as SchemaObject & {
      $defs?: Record<string, SchemaObject>
    }
    for (const [name, definition] of Object.entries($defs)) this.#named.set(name, tidy(definition))
    return tidy(rest)
  }
}

/** Points references to the components, and removes what the converter adds and no reader needs. */
function tidy(schema: SchemaObject): SchemaObject {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) => {
    if (key === '$schema' || key === 'id') return typeof value === 'string' ? undefined : value
    if (key === '$ref' && typeof value === 'string') return value.replace('#/$defs/', '#/components/schemas/')
    if ((key === 'minimum' || key === 'maximum') && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER)
      return undefined
    return value
  }) as SchemaObject
}
