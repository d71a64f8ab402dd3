// A proposal that somebody at the business decided while the window was open.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { told } from './scripted-service.ts'
import { openStage, type Stage, skip } from './stage.ts'
import { askAndRead, openWith } from './visitor.ts'

let stage: Stage
before(async () => {
  if (skip === false) stage = await openStage()
})
after(async () => await stage?.close())

const PROPOSAL = {
  actionId: '0197a000-0000-7000-8000-000000000001',
  tool: 'cancel_order',
  title: 'Cancel order A-1001',
  risk: 'low',
  arguments: { order_number: 'A-1001' },
  confirmationToken: `tac_${'a'.repeat(48)}`,
}
const text = (markdown: string) => ({ type: 'text', markdown })

test('a proposal that was decided waits no longer: at the next turn its card says what became of it', {
  skip,
}, async () => {
  const { actionId } = PROPOSAL
  stage.service.answer = (asked) =>
    asked.prompt === 'refund'
      ? told(asked, [text('Proposed.')], { meta: { proposals: [PROPOSAL] } })
      : told(asked, [text('Well.')], { meta: { decisions: [{ actionId, status: 'rejected', text: 'Declined.' }] } })
  const visit = await stage.visit()
  const { page } = visit
  await openWith(page)
  await askAndRead(page, 'refund')
  const card = page.locator('section.card')
  assert.equal(await card.getByRole('button').count(), 2)
  await askAndRead(page, 'and?')
  await card.getByText('Declined.').waitFor()
  assert.equal(await card.getByRole('button').count(), 0, 'there is nothing left to press')
  await visit.close()
})
