import type { WorkBudget } from '../budget.ts'
import type { Json, JsonObject } from '../json-value.ts'
import type { Seen } from './seen.ts'

/** `true` accepts everything, `false` nothing. */
export type Schema = boolean | JsonObject

/** A schema with its own identity: the root, or one with an `$id`. References resolve against it. */
export type Resource = {
  uri: string
  root: Schema
  anchors: Map<string, Schema>
  dynamicAnchors: Map<string, Schema>
}

/** One schema object inside a prepared schema, with the targets of its references. */
export type Site = {
  schema: JsonObject
  resource: Resource
  /** Its position for messages, such as `properties.quantity`. */
  path: string
  ref?: Schema
  dynamicRef?: { target: Schema; anchor: string | undefined }
  /** The keywords that decide something, in the order in which they run. */
  steps?: Step[]
}
/** `weight` is the number of entries in the keyword's value, and so the cost of reading it. */
export type Step = { keyword: Keyword; given: Json; weight: number }

export type Prepared = {
  root: Schema
  dialect: Dialect
  sites: Map<JsonObject, Site>
}

export type Dialect = {
  name: string
  keywords: Map<string, Keyword>
  /** Draft 7 ignores everything beside a `$ref`. */
  refStandsAlone: boolean
}

/** Checks the form of a keyword's value. Returns what is wrong with it, in words that follow the keyword's name. */
export type Shape = (given: Json) => string | undefined

export type Keyword = {
  shape: Shape
  /** Lists the schemas inside the keyword's value. */
  inner?: (given: Json) => [key: string, schema: Json][]
  /**
   * True if the inner schemas check the same value as this one (allOf, not…), so that a circle through them never ends.
   */
  inPlace?: boolean
  /** Decides whether the value holds. A keyword that only describes (title, default…) has none. */
  holds?: (given: Json, frame: Frame) => boolean
  /** Runs first. If it fails, nothing else about the value is worth reporting. */
  first?: boolean
  /** Runs last, because it needs to know what all others have seen. */
  last?: boolean
}

/** The resources entered on the way here, innermost first. */
type Scope = { resource: Resource; outer: Scope | undefined }

/** The check of one value against one schema object. */
export type Frame = {
  site: Site
  value: Json
  place: ValuePath
  scope: Scope
  /** The parts of the value seen so far; present only if an unevaluated… keyword asks. */
  seen: Seen | undefined
  run: Run
}

export type Run = {
  prepared: Prepared
  budget: WorkBudget
  /** Collects problems; undefined if only the answer matters. */
  report: Problem[] | undefined
  depth: number
  fits: (schema: Schema, value: Json, from: From) => boolean
}
export type From = Pick<Frame, 'place' | 'scope' | 'seen' | 'run'>

/**
 * What is wrong and where. `path` is dotted (`lines.0.sku`, or '' for the value itself). `message` follows it: 'must be
 * an integer; you sent "two"'.
 */
export type Problem = { path: string; message: string }

/** A path into a value, built as the check goes deeper. */
export type ValuePath = { key: string | number; outer: ValuePath } | undefined
