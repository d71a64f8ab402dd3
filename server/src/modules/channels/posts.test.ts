import assert from 'node:assert/strict'
import test from 'node:test'
import { openSlackShop } from './fixtures/slack-shop.ts'
import { findPost, postsOfAction } from './post-queries.ts'

test('a click finds posts of Slack only, and a decision rewrites the posts of its action that are still open', async () => {
  await using shop = await openSlackShop()
  const { database } = shop.house.database
  const { tenantId } = shop.tenant
  const { actionId } = await shop.staged()
  const other = await shop.staged('refund_order', { number: 'A-2' })
  const postsOf = async (id: string) =>
    (await database.rows(postsOfAction, { tenantId, actionId: id })).map(({ postId }) => postId)
  const [postId = assert.fail('no post'), ...more] = await postsOf(actionId)
  assert.deepEqual(more, [])
  assert.notDeepEqual(await postsOf(other.actionId), [postId])
  assert.equal((await database.one(findPost, { tenantId, kind: 'slack', postId }))?.actionId, actionId)
  await database.script(`update notice_posts set done_at = now() where post_id = '${postId}'`)
  assert.deepEqual(await postsOf(actionId), [])
  await database.script(`update notice_posts set kind = 'teams' where post_id = '${postId}'`)
  assert.equal(await database.one(findPost, { tenantId, kind: 'slack', postId }), undefined)
})
