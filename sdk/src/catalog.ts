// A catalog that is written as a constant gives its tools their arguments as types. Nothing here exists when the program runs.
import type { Call } from './call.ts'

/** One tool of a catalog; docs/tools.md says what each member means. */
export type ToolSpec = {
  readonly name: string
  readonly description: string
  readonly is_write?: boolean
  readonly parameters?: object
  readonly [member: string]: unknown
}

type Values = Readonly<Record<string, unknown>>

/** What a JSON Schema lets through. A keyword that says nothing about the type is passed over. */
export type FromSchema<Schema> = Schema extends { readonly const: infer Value }
  ? Value
  : Schema extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : Schema extends { readonly anyOf: readonly (infer One)[] } | { readonly oneOf: readonly (infer One)[] }
      ? FromSchema<One>
      : Schema extends { readonly type: readonly (infer Type)[] }
        ? OfType<Type, Schema>
        : Schema extends { readonly type: infer Type }
          ? OfType<Type, Schema>
          : Schema extends { readonly properties: Values }
            ? OfObject<Schema>
            : unknown

type OfType<Type, Schema> = Type extends 'string'
  ? string
  : Type extends 'integer' | 'number'
    ? number
    : Type extends 'boolean'
      ? boolean
      : Type extends 'null'
        ? null
        : Type extends 'array'
          ? Schema extends { readonly items: infer Items }
            ? readonly FromSchema<Items>[]
            : readonly unknown[]
          : Type extends 'object'
            ? OfObject<Schema>
            : unknown

type OfObject<Schema> = Schema extends { readonly properties: infer Properties }
  ? Flat<
      { readonly [Name in keyof Properties & Required<Schema>]: FromSchema<Properties[Name]> } & {
        readonly [Name in Exclude<keyof Properties, Required<Schema>>]?: FromSchema<Properties[Name]>
      }
    >
  : Values

type Required<Schema> = Schema extends { readonly required: readonly (infer Name)[] } ? Name : never
type Flat<Type> = { [Member in keyof Type]: Type[Member] }

export type ArgumentsOf<Spec> = Spec extends { readonly parameters: infer Schema }
  ? FromSchema<Schema>
  : Readonly<Record<string, never>>

export type CallOf<Spec> = Call<ArgumentsOf<Spec>>
