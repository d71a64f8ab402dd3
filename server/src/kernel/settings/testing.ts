// Shared by the tests of this room: settings from an environment and a few files that exist only in the test.
import assert from 'node:assert/strict'
import { describeFaults } from './describe.ts'
import type { SettingsInput } from './gather.ts'
import { type Loaded, loadSettings } from './load.ts'

export const KEY = Buffer.from('0123456789abcdefghijklmnopqrstuv').toString('base64')

type Files = { readonly [path: string]: string | object }

/** Both profiles exist and are empty unless a test says otherwise. */
export function input(
  env: SettingsInput['env'],
  files: Files = {},
  generated: SettingsInput['generated'] = [],
): SettingsInput {
  const all: Files = { 'config/development.json': {}, 'config/production.json': {}, ...files }
  return {
    env: { Encryption__Key: KEY, ...env },
    readFile(path) {
      const content = all[path]
      return typeof content === 'object' ? JSON.stringify(content) : content
    },
    generated,
  }
}

export const load = (...given: Parameters<typeof input>): Loaded => loadSettings(input(...given))

export function settingsOf(loaded: Loaded) {
  assert.ok(loaded.ok, describeFaults(loaded))
  return loaded.settings
}

export function faultsOf(loaded: Loaded): readonly string[] {
  assert.ok(!loaded.ok, 'these settings should be refused')
  return loaded.faults.map(({ message }) => message)
}

export const warningsOf = (loaded: Loaded) => loaded.warnings.map(({ message }) => message)
export const sourceOf = (loaded: Loaded, name: string) =>
  loaded.sources.find((reading) => reading.name === name)?.source

export const PRODUCTION = {
  Environment: 'Production',
  Http__PublicUrl: 'https://tether.example.com',
  Database__Url: 'postgres://app:correct-horse@db.internal:5432/tether?sslmode=verify-full',
  Signup__IpHashSalt: '5f0c7e2b9a1d4836c8e7f01b2d3a4956',
  Operator__ApiKey: '9b1de0f4a7c25836b0e9d8c7f6a5b4c3d2e1f0a9',
}
