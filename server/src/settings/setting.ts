// One setting is declared once, and that one declaration gives its typed value, its checks, its line in
// `npm run settings` and its row in the reference. A section is a named group of settings, or of sections.
import type { Shape } from './shapes.ts'

export type EnvironmentName = 'Development' | 'Production'

/** Reads another setting by its full name, for a default that follows from others. */
export type Lookup = (name: string) => unknown

/** A variable that platforms set by a name of their own (`PORT`). The `__` form wins over it. */
export type Alias = { readonly variable: string; convert?(raw: string): string | undefined }

export type SettingWords<Value> = {
  /** One sentence: what it does, in words for the person who runs the service. */
  readonly meaning: string
  readonly alias?: Alias
  /** Production refuses to start without it, or every environment; `make` says how to get one. */
  readonly needed?: { readonly make: string; unless?(read: Lookup): boolean; readonly everywhere?: true }
  /** Production refuses to start with such a value. `when` is for the reference; `why` says why, or nothing. */
  readonly unsafe?: { readonly when: string; why(value: Value): string | undefined }
  /** What a person should know about this value although it is allowed, or nothing. */
  advise?(value: Value | undefined, environment: EnvironmentName): string | undefined
  /** How Development makes one for itself, kept in the data directory. */
  readonly development?: (random: (bytes: number) => Buffer) => string
}

type Absent<Value> =
  | { readonly is: 'value'; readonly value: Value }
  | { readonly is: 'derived'; readonly words: string; derive(read: Lookup): Value }
  | { readonly is: 'unset' }
  | { readonly is: 'refused' }

export type Setting<Value> = SettingWords<Value> & {
  readonly type: 'setting'
  readonly shape: Shape<Value>
  readonly absent: Absent<Value>
}

export type Section<Members> = {
  readonly type: 'section'
  readonly name: string
  readonly meaning: string
  readonly members: Members
}

export type AnySetting = Setting<unknown>
export type Members = { readonly [key: string]: AnySetting | Section<Members> }

type Given<T> = T extends Setting<infer Value> ? Value : T extends Section<infer Inner> ? SettingValues<Inner> : never
export type SettingValues<T> = { readonly [Key in keyof T]: Given<T[Key]> }

// The shape alone says what the value is; its words must agree with it, and do not take part in deciding.

/** A setting with a default. */
export function setting<Value>(
  shape: Shape<Value>,
  words: SettingWords<NoInfer<Value>> & { readonly default: NoInfer<Value> },
): Setting<Value> {
  return { ...words, type: 'setting', shape, absent: { is: 'value', value: words.default } }
}

/** A setting whose default follows from other settings; `words` says how, for the reference. */
export function derivedSetting<Value>(
  shape: Shape<Value>,
  words: SettingWords<NoInfer<Value>>,
  derived: { readonly words: string; derive(read: Lookup): Value },
): Setting<Value> {
  return { ...words, type: 'setting', shape, absent: { is: 'derived', ...derived } }
}

/** A setting that may be absent; an empty value means absent, too. */
export function optionalSetting<Value>(
  shape: Shape<Value>,
  words: SettingWords<NoInfer<Value> | undefined>,
): Setting<Value | undefined> {
  return { ...words, type: 'setting', shape, absent: { is: 'unset' } }
}

/** A setting that nothing runs without, in any environment. */
export function requiredSetting<Value>(
  shape: Shape<Value>,
  words: SettingWords<NoInfer<Value>> & { readonly needed: { readonly make: string } },
): Setting<Value> {
  return { ...words, type: 'setting', shape, absent: { is: 'refused' } }
}

export function section<Inner extends Members>(name: string, meaning: string, members: Inner): Section<Inner> {
  return { type: 'section', name, meaning, members }
}
