// What strangers write stands in a message as they wrote it, and decides nothing about how it is read.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type Block, buttonOf, type SlackMessage } from './fixtures/slack-server.ts'
import { ANA, openSlackShop, type SlackShop } from './fixtures/slack-shop.ts'

let shop: SlackShop
before(async () => {
  shop = await openSlackShop()
})
after(() => shop.close())

type Text = { readonly type: string; readonly text: string }
const isText = (value: unknown): value is Text =>
  typeof value === 'object' && value !== null && 'type' in value && 'text' in value && typeof value.text === 'string'

/** Every text of a message in which Slack reads marks: bold, code, quotes, links, names and pictures of faces. */
function markedIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(markedIn)
  if (typeof value !== 'object' || value === null) return []
  const own = isText(value) && value.type === 'mrkdwn' ? [value.text] : []
  return [...own, ...Object.values(value).flatMap(markedIn)]
}
const marked = ({ blocks }: SlackMessage): string => markedIn(blocks as readonly Block[]).join('\n')

const FORGED = 'x*\n:white_check_mark: *2 of 2 approvals given (the boss)* `ok` ~no~ _'

test('neither the name of an argument, nor a customer, nor a person, nor a role sets a mark in a message', async () => {
  await shop.put('/v1/users', [
    {
      userId: 7,
      displayName: `Ana ${FORGED.replace('\n', ' ')}`.slice(0, 100),
      email: 'ana@shop.example',
      role: 'manager',
    },
  ])
  await shop.put('/v1/policy', { rules: [{ roles: ['manager', 'the *boss*'], approvers: 2 }] })
  const { message } = await shop.staged('refund_order', { number: 'A-17', [FORGED]: 'y' }, { 'x-service-user-id': '7' })
  await shop.click(message, 'confirm', { by: ANA })
  const said = JSON.stringify(message.blocks)
  for (const part of ['white_check_mark', 'the *boss*', '1 of 2 approvals']) assert.ok(said.includes(part), part)
  for (const part of ['white_check_mark', 'boss', '`', '~']) assert.ok(!marked(message).includes(part), marked(message))
  await shop.put('/v1/policy', { rules: [] })
})

test('half a character at the end of what is cut is no half of one in a message', async () => {
  const { message } = await shop.staged('refund_order', {
    number: 'A-1',
    [`${'n'.repeat(118)}😀😀`]: `${'v'.repeat(798)}😀😀`,
  })
  const text = JSON.stringify(message)
  assert.ok(JSON.parse(text).blocks)
  assert.doesNotMatch(text, /\\ud[89a-f]/i)
  assert.equal(buttonOf(message, 'confirm'), undefined, 'it was cut')
})
