// What the page says about the widget: its key, its words, its colours.
import assert from 'node:assert/strict'
import test, { after, before, beforeEach } from 'node:test'
import { told } from './scripted-service.ts'
import { KEY, openStage, type Stage, skip } from './stage.ts'
import { answersOf, ask, askAndRead, launcherOf, openWith, until } from './visitor.ts'

let stage: Stage
before(async () => {
  if (skip === false) stage = await openStage()
})
after(async () => await stage?.close())
beforeEach(() => stage?.service.reset())

test('brand colour with readable words on it, preview label, sources, words of the page’s own', { skip }, async () => {
  stage.service.brand = { status: 200, body: { color: '#ffee00', logo: null } }
  stage.service.answer = (asked) =>
    told(asked, [{ type: 'text', markdown: 'From your site.' }], {
      meta: {
        preview: true,
        previewSources: ['https://shop.example/a'],
        sources: [{ kind: 'knowledge', title: 'Returns', url: null }],
      },
    })
  const visit = await stage.visit({ attributes: { strings: '{"title":"Helpdesk","preview":"Just a look"}' } })
  const { page } = visit
  await until(
    'the brand is there',
    async () => (await launcherOf(page).evaluate((e) => getComputedStyle(e).backgroundColor)) === 'rgb(255, 238, 0)',
  )
  assert.equal(await launcherOf(page).evaluate((e) => getComputedStyle(e).color), 'rgb(0, 0, 0)')
  await openWith(page)
  await askAndRead(page, 'x')
  assert.equal(await page.locator('h2').innerText(), 'Helpdesk')
  assert.ok(await answersOf(page).getByText('Just a look').isVisible())
  await page.locator('summary').click()
  assert.deepEqual(await page.locator('details li').allInnerTexts(), ['https://shop.example/a', 'Returns'])
  await page.evaluate(() => document.documentElement.style.setProperty('--service-accent', '#101040'))
  await page.locator('button[title="Close"]').click()
  await launcherOf(page).click()
  assert.equal(await page.locator('.head').evaluate((e) => getComputedStyle(e).color), 'rgb(255, 255, 255)')
  await visit.close()
})

test('a key that is none for pages never leaves the page', { skip }, async () => {
  const visit = await stage.visit({ attributes: { 'publishable-key': KEY.replace('tpk_', 'tth_') } })
  await openWith(visit.page)
  await ask(visit.page, 'hello')
  await visit.page.getByText('(secret_key)').waitFor()
  assert.deepEqual(stage.service.seen, [])
  await visit.close()
})

test('a logo that loads stands in the header; one that does not leaves no empty frame', { skip }, async () => {
  const pixel = 'R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs='
  for (const [logo, images] of [
    ['https://brand.example/logo.gif', 1],
    ['https://brand.example/missing.gif', 0],
    ['javascript:alert(1)', 0],
  ] as const) {
    stage.service.brand = { status: 200, body: { color: null, logo } }
    const visit = await stage.visit({ body: '<main></main>' })
    const { page } = visit
    await page.route('https://brand.example/**', (route) =>
      route.request().url().endsWith('logo.gif')
        ? route.fulfill({ contentType: 'image/gif', body: Buffer.from(pixel, 'base64') })
        : route.fulfill({ status: 404 }),
    )
    await page.waitForLoadState('networkidle')
    assert.ok(!visit.requests.some((line) => line.includes('brand.example')), 'not before the window opens')
    await openWith(page)
    await until(`${images} images`, async () => (await page.locator('.head img').count()) === images)
    assert.equal(await page.locator('.mark svg').count(), 1 - images)
    await visit.close()
  }
})
