// A setting is declared once. The declaration gives its typed value, its checks, its lines in `npm run settings` and
// its row in the reference. A section is a named group of settings or of sections.
import type { SettingShape } from './shapes.ts'

export type EnvironmentName = 'Development' | 'Production'

/** Reads another setting by its full name, for a default that follows from others. */
export type Lookup = (name: string) => unknown

/** A variable that platforms set under another name (`PORT`). The `__` form wins over it. */
type Alias = { readonly variable: string; convert?(raw: string): string | undefined }

type SettingWords<Value> = {
  /** What it does, in a sentence or two for the person who runs the service. */
  readonly meaning: string
  readonly alias?: Alias
  /** Production, or every environment, refuses to start without it. `make` says how to get one. */
  readonly needed?: { readonly make: string; unless?(read: Lookup): boolean; readonly everywhere?: true }
  /**
   * Production refuses to start with such a value. `when` is for the reference; `why` gives the reason, or undefined.
   */
  readonly unsafe?: { readonly when: string; why(value: Value): string | undefined }
  /** Returns what a person should know about this value although it is allowed, or undefined. */
  advise?(value: Value | undefined, environment: EnvironmentName): string | undefined
  /** Makes a value for Development, which keeps it in the data directory. */
  readonly development?: (random: (bytes: number) => Buffer) => string
}

type Absent<Value> =
  | { readonly is: 'value'; readonly value: Value }
  | { readonly is: 'derived'; readonly words: string; derive(read: Lookup): Value }
  | { readonly is: 'unset' }
  | { readonly is: 'refused' }

type Setting<Value> = SettingWords<Value> & {
  readonly type: 'setting'
  readonly shape: SettingShape<Value>
  readonly absent: Absent<Value>
}

type Section<Members> = {
  readonly type: 'section'
  readonly name: string
  readonly meaning: string
  readonly members: Members
}

export type AnySetting = Setting<unknown>
export type Members = { readonly [key: string]: AnySetting | Section<Members> }

type ValueOf<T> = T extends Setting<infer Value> ? Value : T extends Section<infer Inner> ? SettingValues<Inner> : never
export type SettingValues<T> = { readonly [Key in keyof T]: ValueOf<T[Key]> }

// Only the shape determines the type of the value. The words must agree with it, but must not take part in inference.

/** A setting with a default. */
export function setting<Value>(
  shape: SettingShape<Value>,
  words: SettingWords<NoInfer<Value>> & { readonly default: NoInfer<Value> },
): Setting<Value> {
  return { ...words, type: 'setting', shape, absent: { is: 'value', value: words.default } }
}

/** A setting whose default follows from other settings. `words` says how, for the reference. */
export function derivedSetting<Value>(
  shape: SettingShape<Value>,
  words: SettingWords<NoInfer<Value>>,
  derived: { readonly words: string; derive(read: Lookup): Value },
): Setting<Value> {
  return { ...words, type: 'setting', shape, absent: { is: 'derived', ...derived } }
}

/** A setting that may be absent. An empty value also means absent. */
export function optionalSetting<Value>(
  shape: SettingShape<Value>,
  words: SettingWords<NoInfer<Value> | undefined>,
): Setting<Value | undefined> {
  return { ...words, type: 'setting', shape, absent: { is: 'unset' } }
}

/** A setting that every environment needs. */
export function requiredSetting<Value>(
  shape: SettingShape<Value>,
  words: SettingWords<NoInfer<Value>> & { readonly needed: { readonly make: string } },
): Setting<Value> {
  return { ...words, type: 'setting', shape, absent: { is: 'refused' } }
}

export function section<Inner extends Members>(name: string, meaning: string, members: Inner): Section<Inner> {
  return { type: 'section', name, meaning, members }
}
