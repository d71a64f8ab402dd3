import type { Budget } from '../budget.ts'
import type { Json, JsonObject } from '../json-value.ts'
import type { Seen } from './seen.ts'

/** `true` lets everything through, `false` nothing. */
export type Schema = boolean | JsonObject

/** A schema with an identity of its own: the root, or whatever has an `$id`. References are resolved against it. */
export type Resource = {
  uri: string
  root: Schema
  anchors: Map<string, Schema>
  dynamicAnchors: Map<string, Schema>
}

/** One schema object inside a prepared schema, and what its references lead to. */
export type Site = {
  schema: JsonObject
  resource: Resource
  /** Where it stands, for messages: `properties.quantity`. */
  path: string
  ref?: Schema
  dynamicRef?: { target: Schema; anchor: string | undefined }
  /** The keywords that decide something, in the order in which they run. */
  steps?: Step[]
}
/** `weight`: how many entries the keyword's value has, which is what looking at it costs. */
export type Step = { keyword: Keyword; given: Json; weight: number }

export type Prepared = {
  root: Schema
  dialect: Dialect
  sites: Map<JsonObject, Site>
}

export type Dialect = {
  name: string
  keywords: Map<string, Keyword>
  /** In draft 7 whatever stands beside a `$ref` is ignored. */
  refStandsAlone: boolean
}

/** The form that a keyword's value must have; answers what is wrong with it, in words that follow the keyword's name. */
export type Shape = (given: Json) => string | undefined

export type Keyword = {
  shape: Shape
  /** Which schemas stand inside the keyword's value. */
  inner?: (given: Json) => [key: string, schema: Json][]
  /** The inner schemas look at the same value as this one (allOf, not...), so a circle through them never ends. */
  inPlace?: boolean
  /** Decides; absent on a keyword that only says something (title, default...). */
  holds?: (given: Json, frame: Frame) => boolean
  /** Runs first, and when it fails nothing else about the value is worth saying. */
  first?: boolean
  /** Runs last, because it needs to know what all others have looked at. */
  last?: boolean
}

/** The resources that were entered on the way to here, innermost first. */
export type Scope = { resource: Resource; outer: Scope | undefined }

/** One schema object being held against one value. */
export type Frame = {
  site: Site
  value: Json
  place: Place
  scope: Scope
  /** What of the value was looked at, when an unevaluated… keyword asks. */
  seen: Seen | undefined
  run: Run
}

export type Run = {
  prepared: Prepared
  budget: Budget
  /** Where problems go; undefined when only the answer matters. */
  report: Problem[] | undefined
  depth: number
  fits: (schema: Schema, value: Json, from: From) => boolean
}
export type From = Pick<Frame, 'place' | 'scope' | 'seen' | 'run'>

/** What is wrong and where. `path` is dotted (`lines.0.sku`; the value itself is ''); `message` follows its name: "must be an integer; you sent "two"". */
export type Problem = { path: string; message: string }

/** A way into a value, built as the check goes down. */
export type Place = { key: string | number; outer: Place } | undefined
