// What the tests of `deploy/` share: its files, and the service that starts with what they say.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { CORE_SCHEMA, load, mergeTag } from 'js-yaml'
import { loadSettings, type Settings } from '../server/src/kernel/settings/index.ts'

export const DEPLOY = path.join(import.meta.dirname, '../deploy')
export const read = (file: string): string => readFileSync(path.join(DEPLOY, file), 'utf8')
/** The commands of the page about it that have this word, block by block. */
export const commandsWith = (word: string): string[] =>
  [...read('../docs/deploy.md').matchAll(/```sh\n([\s\S]*?)```/g)]
    .map(([, code = '']) => code)
    .filter((code) => code.includes(word))

/** What is read of it is held by the test that reads it. */
export const parsed = <Value>(file: string): Value =>
  load(read(file), { schema: CORE_SCHEMA.withTags(mergeTag) }) as Value

/** What `.env` has for the composition, and the secret for Kubernetes. */
export const SECRETS: Readonly<Record<string, string>> = {
  SERVICE_PASSWORD: randomBytes(32).toString('hex'),
  OWNER_PASSWORD: randomBytes(32).toString('hex'),
  POSTGRES_PASSWORD: randomBytes(32).toString('hex'),
  ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  OPERATOR_KEY: randomBytes(32).toString('hex'),
  IP_HASH_SALT: randomBytes(32).toString('hex'),
}

/** Production, as it starts with these. A setting that there is not is a warning of the start, and a fault here. */
export function settingsOf(env: Record<string, string>, who: string): Settings {
  const loaded = loadSettings({ env, readFile: (file) => readFileSync(path.resolve(DEPLOY, '..', file), 'utf8') })
  assert.deepEqual(loaded.ok ? [] : loaded.faults.map(({ message }) => message), [], who)
  assert.ok(loaded.ok)
  assert.equal(loaded.settings.environment, 'Production', who)
  assert.deepEqual(
    loaded.warnings.filter(({ message }) => /has no effect/.test(message)).map(({ message }) => message),
    [],
    who,
  )
  for (const name of Object.keys(env).filter((one) => one.includes('__')))
    assert.ok(
      loaded.sources.some((one) => one.name === name.replaceAll('__', ':')),
      `${who}: ${name}`,
    )
  return loaded.settings
}

/** A variable that is to be secret comes from outside, and no address has a password in it. */
export function holdsNoSecret(variables: readonly (readonly [name: string, value: string | undefined])[]): void {
  assert.ok(variables.length > 10)
  for (const [name, value] of variables) {
    if (/KEY|PASSWORD|SALT|SECRET/i.test(name) && value !== undefined) assert.match(value, /^\$\{\w+:\?/, name)
    assert.doesNotMatch(value ?? '', /:\/\/[^:/]+:(?!\$[{(])[^@]*@/, `${name} has a password in its address`)
  }
}
