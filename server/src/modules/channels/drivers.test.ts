// The shared code works on any drivers, and leaves alone what it has no driver for.
import assert from 'node:assert/strict'
import test from 'node:test'
import { ChannelKind } from '@tether/contract'
import { unlisted } from '../../kernel/db/index.ts'
import { type Driver, findClickDriver, hasClicks } from './driver.ts'
import { DRIVERS } from './drivers.ts'
import { openSlackShop } from './fixtures/slack-shop.ts'

const postsOfKind = unlisted<{ attempts: number; shown: string | null }, { tenantId: number; kind: string }>(
  'test.posts_of_kind',
  'select attempts, shown from notice_posts where tenant_id = $tenantId::int and kind = $kind::text',
)

test('every kind of the contract has one driver', () => {
  assert.deepEqual(DRIVERS.map(({ kind }) => kind).toSorted(), ChannelKind.options.toSorted())
})

test('refuses a second driver with clicks, because slack_clicks does not store the kind', () => {
  const clicking = DRIVERS.filter(hasClicks)
  assert.deepEqual([findClickDriver(DRIVERS)], clicking)
  const others: readonly Driver[] = DRIVERS.filter((driver) => !hasClicks(driver))
  assert.equal(findClickDriver(others), undefined)
  assert.throws(() => findClickDriver([...DRIVERS, ...clicking]), /no column for the kind/)
})

const countRows = unlisted<{ clicks: number; posts: number }, { tenantId: number }>(
  'test.channel_rows',
  `select (select count(*)::int from slack_clicks where tenant_id = $tenantId::int) as clicks,
          (select count(*)::int from notice_posts where tenant_id = $tenantId::int) as posts`,
)

test('a channel that is removed takes its messages and clicks along, and no others', async () => {
  await using shop = await openSlackShop()
  const { tenantId } = shop.tenant
  const remove = (kind: string) =>
    shop.house.ask('DELETE', `/v1/notifications/${kind}`, { key: shop.key }).then(({ body }) => body)
  const { message } = await shop.staged()
  await shop.click(message, 'confirm')
  const rows = async () => await shop.house.database.database.one(countRows, { tenantId })
  assert.deepEqual([await remove('teams'), await rows()], [{ deleted: false }, { clicks: 1, posts: 1 }])
  assert.deepEqual([await remove('slack'), await rows()], [{ deleted: true }, { clicks: 0, posts: 0 }])
})

test('keeps the messages of a channel without a driver for a version that has one, and sends the others', async () => {
  await using shop = await openSlackShop()
  const { tenantId } = shop.tenant
  const { database } = shop.house.database
  await database.script(
    `insert into notice_channels (tenant_id, kind, place, sealed) values (${tenantId}, 'pager', 'P1', 'sealed')`,
  )
  const { message } = await shop.staged()
  await shop.click(message, 'confirm')
  assert.match(message.text, /^Done/)
  assert.deepEqual(await database.rows(postsOfKind, { tenantId, kind: 'pager' }), [{ attempts: 0, shown: null }])
})
