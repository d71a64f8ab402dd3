// Made-up values for statements that a test plans or runs without their callers.
import { type Transaction, unlisted } from '../server/src/kernel/db/index.ts'

const parameters = unlisted<{ types: string[] }>(
  'sample_values.parameters',
  `select parameter_types::text[] as types from pg_prepared_statements where name = 'asked'`,
)

/** Prepares the text under the name `asked`, and returns the types of its values. */
export async function prepareAsked(tx: Transaction, text: string): Promise<readonly string[]> {
  await tx.script(`prepare asked as ${text}`)
  return (await tx.one(parameters))?.types ?? []
}

/** A value of each type that our statements take. A number is 1. */
const SAMPLES: Readonly<Record<string, string>> = {
  boolean: 'true',
  bytea: '\\x00',
  date: '2026-01-01',
  json: '[]',
  jsonb: '[]',
  text: 'a',
  'timestamp with time zone': '2026-01-01',
  uuid: '00000000-0000-7000-8000-000000000001',
}
export const sampleOf = (type: string): string =>
  type.endsWith('[]') ? `{${sampleOf(type.slice(0, -2))}}` : (SAMPLES[type] ?? '1')
