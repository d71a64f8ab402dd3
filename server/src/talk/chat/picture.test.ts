import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import test, { after, before } from 'node:test'
import { ask, openTalk, talk } from './fixtures/talk.ts'

openTalk({
  settings: {
    'AI:Multimodal:RequireHttpsForUrls': 'false',
    'AI:Multimodal:MaxImageBytes': '2000',
    'AI:Multimodal:AllowedUrlHosts': '127.0.0.1,LocalHost,ბაზარი.EXAMPLE',
  },
})

const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3])
const answers: Record<string, readonly [number, Buffer]> = {
  '/a.jpg': [200, JPEG],
  '/huge.jpg': [200, Buffer.concat([JPEG, Buffer.alloc(5000)])],
  '/page.html': [200, Buffer.from('<html>')],
  '/forbidden': [403, JPEG],
  '/broken': [500, JPEG],
  '/moved': [302, JPEG],
}
const site = createServer((request, response) => {
  const [status, body] = answers[request.url ?? ''] ?? [404, Buffer.from('')]
  response.writeHead(status, { 'content-type': 'image/jpeg' }).end(body)
})
let url: string
before(async () => {
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
})
after(() => void site.close())

test('a picture by address is fetched through the guard, within its size, and is what its bytes say', async () => {
  const { model } = talk
  model.play(['A dog.'])
  assert.equal((await ask({ prompt: 'What?', image: { url: `${url}/a.jpg` } })).status, 200)
  const last = model.requests.at(-1)?.messages.at(-1)
  assert.equal(last?.role === 'user' && last.pictures?.[0]?.mimeType, 'image/jpeg')
  for (const [path, reason] of [
    ['/huge.jpg', 'too_large'],
    ['/page.html', 'type_mismatch'],
    ['/nothing', 'type_mismatch'],
  ]) {
    assert.equal((await ask({ prompt: 'What?', image: { url: `${url}${path}` } })).error?.reason, reason, path)
  }
})

test('what an address answers stays between it and us: a picture that is not there is one refusal', async () => {
  const gone = createServer()
  await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve))
  const closed = `http://127.0.0.1:${(gone.address() as AddressInfo).port}/a.jpg`
  await new Promise((resolve) => gone.close(resolve))
  const told = new Set<string>()
  for (const at of [
    `${url}/page.html`,
    `${url}/nothing`,
    `${url}/forbidden`,
    `${url}/broken`,
    `${url}/moved`,
    closed,
    'http://ბაზარი.example/a.jpg',
  ]) {
    const { error } = await ask({ prompt: 'What?', image: { url: at } })
    told.add(JSON.stringify([error?.reason, error?.message]))
  }
  assert.equal(told.size, 1, [...told].join('\n'))
  assert.doesNotMatch([...told].join(), /404|403|500|302|refused|timeout/)
})

test('a host is allowed however it is written in the settings or in the address', async () => {
  talk.model.play(['A dog.'])
  const { port } = new URL(url)
  const answered = async (at: string) => (await ask({ prompt: 'What?', image: { url: at } })).error?.message
  assert.equal(await answered(`http://LOCALHOST:${port}/a.jpg`), undefined)
  assert.equal(await answered(`http://localhost:${port}/a.jpg`), undefined)
  assert.doesNotMatch((await answered('http://ბაზარი.example/a.jpg')) ?? '', /does not fetch pictures from/)
  assert.match(
    (await answered('http://elsewhere.example/a.jpg')) ?? '',
    /does not fetch pictures from elsewhere\.example/,
  )
})
