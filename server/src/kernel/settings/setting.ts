// A setting is declared once, as a shape, its default and its words. The declaration gives its typed value, its checks, its
// lines in `npm run settings` and its row in the reference. A section is a named group of settings or of sections.
import type { z } from 'zod'

export type EnvironmentName = 'Development' | 'Production'

/** Reads another setting by its full name, for a default that follows from others. */
export type Lookup = (name: string) => unknown

/** A variable that platforms set under another name (`PORT`). The `__` form wins over it. */
type Alias = { readonly variable: string; convert?(raw: string): string | undefined }

type SettingWords<Value> = {
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
  readonly meaning: string
  readonly shape: Form<Value>
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

type Form<Value> = {
  readonly type: z.ZodType<Value>
  /** Completes the sentence "It must be …", so it starts with an article. */
  readonly expects: string
  /** A secret is never shown, whether it is right or wrong. */
  readonly secret: boolean
  /** True if the names below the setting's own are rows of a table. */
  readonly isTable?: true
  show(value: Value): string
}

/** A form of values, and the settings that can be declared with it. */
export type SettingShape<Value> = Form<Value> & {
  default(value: Value): Undescribed<Value>
  /** An empty value also means absent. */
  optional(): Undescribed<Value | undefined>
  /** Every environment needs it. */
  required(): Undescribed<Value>
  /** Its default follows from other settings. `words` says how, for the reference. */
  derived(words: string, derive: (read: Lookup) => Value): Undescribed<Value>
}

type Undescribed<Value> = {
  /** `meaning` says what it does, in a sentence or two for the person who runs the service. */
  describe(meaning: string, words?: SettingWords<Value>): Setting<Value>
}

export function shape<Value>(
  expects: string,
  type: z.ZodType<Value>,
  more: Partial<Pick<Form<Value>, 'secret' | 'isTable' | 'show'>> = {},
): SettingShape<Value> {
  const form: Form<Value> = { expects, type, secret: false, show: String, ...more }
  const undescribed = (absent: Absent<Value>): Undescribed<Value> => ({
    describe: (meaning, words = {}) => ({ ...words, type: 'setting', meaning, shape: form, absent }),
  })
  return {
    ...form,
    default: (value) => undescribed({ is: 'value', value }),
    optional: () => ({
      describe: (meaning, words = {}) => ({ ...words, type: 'setting', meaning, shape: form, absent: { is: 'unset' } }),
    }),
    required: () => undescribed({ is: 'refused' }),
    derived: (words, derive) => undescribed({ is: 'derived', words, derive }),
  }
}

export function section<Inner extends Members>(name: string, meaning: string, members: Inner): Section<Inner> {
  return { type: 'section', name, meaning, members }
}
