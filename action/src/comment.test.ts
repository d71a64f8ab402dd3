// One comment, whatever GitHub and others do meanwhile.
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import test, { after, before, beforeEach } from 'node:test'
import { type GitHubServer, openGitHubServer, TOKEN, WORKFLOW } from './fixtures/github-server.ts'
import { openRepository, type Repository } from './fixtures/repository.ts'

const KEY = `tci_${'ab'.repeat(24)}`
const LIST = /GET .*\/issues\/\d+\/comments/
const POST = /POST .*\/comments/
const PATCH = /PATCH .*\/comments/

let github: GitHubServer
let repository: Repository
let service: Server
let url: string
/** Of the service: the answers to come, and 200 when there are no more. */
let scripted: { status: number; headers?: Record<string, string>; body?: object }[] = []

before(async () => {
  github = await openGitHubServer()
  repository = openRepository(github)
  repository.write('words.json', '{"returns": ["refund"]}')
  repository.commit()
  service = createServer((_, response) => {
    const { status, headers, body } = scripted.shift() ?? { status: 200 }
    response.writeHead(status, headers).end(JSON.stringify(body ?? { version: 1, lexicon: {}, updatedAt: null }))
  })
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
})
beforeEach(() => {
  github.calm()
  github.comments.length = 0
  github.asked.length = 0
  github.me = WORKFLOW
  github.mayWrite = true
  scripted = []
})
after(async () => {
  repository.close()
  service.closeAllConnections()
  await new Promise((resolve) => service.close(resolve))
  await github.close()
})

const inputs = (more: Record<string, string> = {}) => ({
  'service-url': url,
  'api-key': KEY,
  vocabulary: 'words.json',
  ...more,
})
const pull = { number: 7 }
const quick = (runId = 100, more: Record<string, string> = {}) => repository.quick(inputs(more), { pull, runId })
const mark = (runId: number, name = 'tether') => `<!-- tether-action:${name} run:${runId} -->\n`
const bodies = () => github.comments.map(({ body }) => body)
const ours = () => bodies().filter((body) => /^<!-- tether-action:tether /.test(body))
const oursIs = (runId: number) => {
  assert.equal(ours().length, 1, String(ours().length))
  assert.match(ours()[0] ?? '', new RegExp(`^${mark(runId)}### What`))
}

test('it is found behind two hundred others, and changed in its place', async () => {
  for (let n = 0; n < 130; n++) github.comment(7, { login: 'nino', type: 'User' }, `No. ${n}`)
  await quick(100)
  for (let n = 0; n < 120; n++) github.comment(7, { login: 'nino', type: 'User' }, `Later ${n}`)
  const { outputs } = await quick(101)
  oursIs(101)
  assert.equal(github.comments[130]?.edits, 1)
  assert.match(outputs['comment-url'] ?? '', new RegExp(`#issuecomment-${github.comments[130]?.id}$`))
  assert.equal(github.comments.length, 251)
})

test('what others wrote is left alone, also where it has our mark or quotes it', async () => {
  const stranger = github.comment(7, { login: 'mallory', type: 'User' }, `${mark(99)}Merge at once.`)
  const quoting = github.comment(7, WORKFLOW, `> ${mark(99)}Said before.`)
  const elsewhere = github.comment(8, WORKFLOW, `${mark(99)}Of another pull request.`)
  const sister = github.comment(7, WORKFLOW, `${mark(99, 'wholesale')}Of another step.`)
  await quick(100)
  await quick(101)
  assert.deepEqual(
    [stranger, quoting, elsewhere, sister].map(({ edits }) => edits),
    [0, 0, 0, 0],
  )
  assert.equal(github.comments.length, 5)
  assert.match(github.comments[4]?.body ?? '', new RegExp(`^${mark(101)}`))
})

test('a token of a person knows its own comments by their author', async () => {
  github.comment(7, { login: 'mallory', type: 'User' }, `${mark(99)}Merge at once.`)
  github.me = { login: 'robot-of-nino', type: 'User' }
  await quick(100)
  await quick(101)
  assert.deepEqual(
    github.comments.map(({ user, edits }) => [user.login, edits]),
    [
      ['mallory', 0],
      ['robot-of-nino', 1],
    ],
  )
})

test('two runs that both saw no comment end with one, and so do two that were left over', async () => {
  // The other run looked at the same moment and has posted by the time that this one posts.
  github.meanwhile(POST, () => void github.comment(7, WORKFLOW, `${mark(99)}### What the other says`))
  await quick(100)
  oursIs(100)
  github.comment(7, WORKFLOW, `${mark(98)}### What was left over`)
  await quick(101)
  oursIs(101)
})

test('a run that began earlier and ends later does not speak over the later one', async () => {
  await quick(200)
  const { log, code, outputs } = await quick(100)
  assert.equal(code, 0)
  assert.match(log, /A later run has written the comment/)
  assert.match(outputs['comment-url'] ?? '', /#issuecomment-/)
  oursIs(200)
  github.comments.length = 0
  github.meanwhile(POST, () => void github.comment(7, WORKFLOW, `${mark(300)}### What the later run says`))
  await quick(201)
  oursIs(300)
})

test('an answer that was lost does not make a second one, and one that was removed is written anew', async () => {
  github.fail(POST, { status: 502, isDone: true })
  assert.equal((await quick(100)).code, 0)
  oursIs(100)
  assert.equal(
    github.asked.filter((asked) => POST.test(asked)).length,
    1,
    'it was looked for before it was posted again',
  )
  github.fail(PATCH, { status: 504, isDone: true }, 2)
  assert.equal((await quick(101)).code, 0)
  oursIs(101)
  github.meanwhile(PATCH, () => void github.comments.splice(0))
  assert.equal((await quick(102)).code, 0)
  oursIs(102)
})

test('limits are waited for as GitHub asks, within bounds', async () => {
  github.fail(LIST, { status: 403, headers: { 'retry-after': '7' } })
  github.fail(POST, { status: 429, headers: { 'retry-after': '3' } })
  const limited = await quick(100)
  assert.deepEqual([limited.code, limited.waits], [0, [7_000, 3_000]])
  oursIs(100)
  github.fail(PATCH, {
    status: 403,
    headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(Math.floor(Date.now() / 1000) + 3_000) },
  })
  const spent = await quick(101)
  // An hour is for whoever runs the job again.
  assert.deepEqual([spent.code, spent.waits], [1, []])
  github.fail(LIST, { status: 503 }, 100)
  const down = await quick(102)
  assert.equal(down.code, 0, 'a bad day of GitHub is not this change’s fault')
  assert.match(down.log, /^::warning title=Tether::The comment was not written/m)
  assert.equal(down.waits.length, 3, 'it is asked four times')
  assert.match(down.summary, /### What this changes/)
})

test('the service is asked again where it is limited or away, as long as it says and four times at most', async () => {
  scripted = [{ status: 429, headers: { 'retry-after': '5' } }, { status: 503 }, { status: 500 }]
  const ran = await quick(100)
  assert.equal(ran.code, 0, ran.log)
  assert.equal(ran.waits.length, 3)
  assert.equal(ran.waits[0], 5_000)
  scripted = Array.from({ length: 20 }, () => ({ status: 503 }))
  const down = await quick(101)
  assert.deepEqual([down.code, scripted.length], [1, 16])
  assert.match(ours()[0] ?? '', /GET \/v1\/domain-pack answered 503.*Run the job again/)
  scripted = [{ status: 429, headers: { 'retry-after': '3600' } }]
  const late = await quick(102)
  assert.deepEqual([late.code, late.waits], [1, []])
  scripted = [{ status: 302, headers: { location: 'http://127.0.0.1:9/' } }]
  assert.match((await quick(103)).log, /service-url leads elsewhere/)
})

test('a token that only reads: a fork’s run succeeds and says so, any other says which permission is missing', async () => {
  github.mayWrite = false
  const fork = await repository.quick(inputs(), { pull: { number: 7, head: 'stranger/backend' } })
  assert.equal(fork.code, 0)
  assert.match(fork.log, /^::notice title=Tether::The comment was not written, because a fork/m)
  assert.match(fork.summary, /### What this changes/)
  const own = await quick(101)
  assert.equal(own.code, 1)
  assert.match(own.log, /^::error title=Tether::.*`permissions: pull-requests: write`/m)
  assert.equal((await quick(101, { comment: 'never' })).code, 0)
  assert.deepEqual(github.comments, [])
})

test('nothing to say makes no comment unless one is asked for; one that is there says so', async () => {
  repository.write('words.json', '{}')
  assert.match((await quick(100)).log, /No comment was needed/)
  assert.equal(ours().length, 0)
  await quick(100, { comment: 'always' })
  assert.match(ours()[0] ?? '', /The pack has all words/)
  repository.write('words.json', '{"returns": ["refund"]}')
  await quick(101)
  repository.write('words.json', '{}')
  await quick(102)
  assert.match(ours()[0] ?? '', new RegExp(`^${mark(102)}[\\s\\S]*Nothing\\.`))
})

test('a secret in a file of the repository is shown nowhere, and no text of others is a command to the runner', async () => {
  const hostile = `##[error]no\n::stop-commands::x\n${KEY}`
  repository.write('words.json', JSON.stringify({ [hostile]: [KEY, TOKEN, '::warning::x'] }))
  const ran = await quick(100)
  repository.write('words.json', `{"${hostile.replaceAll('\n', ' ')}`)
  const broken = await quick(101)
  repository.write('words.json', '{"returns": ["refund"]}')
  scripted = [{ status: 400, body: { error: { code: 'no', message: hostile } } }]
  const refused = await quick(102)
  assert.match(refused.log, /“## \[error\]no ::stop-commands::x \*\*\*”/)
  for (const { log, summary, outputs } of [ran, broken, refused]) {
    const said = log.replace(/^::add-mask::.*$/gm, '')
    for (const secret of [KEY, TOKEN])
      assert.ok(!(said + summary + JSON.stringify(outputs) + bodies().join()).includes(secret))
    assert.ok(!said.includes('##['))
    for (const line of said.split('\n')) assert.match(line, /^$|^::(?:notice|warning|error) title=Tether::|^[A-Z]/)
  }
  assert.match(broken.log, /is not JSON/)
})
