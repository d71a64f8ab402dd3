// An amended action is a new row. Each column of the table is either in the insert or listed here.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { unlisted } from '../../kernel/db/index.ts'
import { amendAction } from './amend-queries.ts'

let house: OpenHouse
before(async () => {
  house = await openHouse()
})
after(() => house.close())

const columnsOfActions = unlisted<{ name: string }>(
  'test.columns_of_actions',
  `select column_name::text as name from information_schema.columns where table_schema = 'public' and table_name = 'actions'`,
)

/** A replacement begins with their defaults: what happened to the old action, and the key that staged it. */
const BEGUN_ANEW = [
  'attempts',
  'claim_token',
  'confirmed_by_user_id',
  'created_at',
  'error_code',
  'error_message',
  'lease_until',
  'overtaken',
  'reconcile_token',
  'reconciling_until',
  'reminded_at',
  'reminders',
  'replaced_by',
  'result',
  'sent_to',
  'settled_at',
  'stage_hash',
  'stage_key',
  'tell_visitor',
  'verification_reason',
  'verification_status',
  'verified_at',
  'verify_until',
]

test('an amended action keeps each column, or begins it anew on purpose', async () => {
  const [, inserted = ''] = /insert into actions as a \(([^)]*)\)/.exec(amendAction.text) ?? []
  const kept = new Set(inserted.split(',').map((name) => name.trim()))
  const columns = (await house.database.database.rows(columnsOfActions)).map(({ name }) => name)
  assert.deepEqual(columns.filter((name) => !kept.has(name)).toSorted(), BEGUN_ANEW.toSorted())
})
