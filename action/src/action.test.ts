// The bundle as a runner runs it, from the first pull request to the branch, against a real service and an API like GitHub's.
import assert from 'node:assert/strict'
import { readFileSync, symlinkSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import test, { after, before } from 'node:test'
import { MODULES } from '../../server/src/modules.ts'
import { type NewTenant, type OpenHouse, openHouse } from '../../server/testkit/house.ts'
import { type GitHubServer, openGitHubServer, TOKEN } from './fixtures/github-server.ts'
import { openRepository, type Ran, type Repository } from './fixtures/repository.ts'

let house: OpenHouse
let github: GitHubServer
let repository: Repository
let shop: NewTenant
let keys: { add: string; replace: string }
let url: string

before(async () => {
  house = await openHouse({ modules: MODULES })
  github = await openGitHubServer()
  repository = openRepository(github)
  shop = await house.tenant()
  const issue = async (more: object) => {
    const { body } = await house.ask<{ key: string }>('POST', '/v1/account/keys', {
      key: shop.apiKey,
      body: { kind: 'ci', label: 'CI', ...more },
    })
    return body.key
  }
  // As the page about it has it.
  const page = readFileSync(path.join(import.meta.dirname, '../../docs/github-action.md'), 'utf8')
  const [, asked = ''] = /```sh\ncurl .*\/v1\/account\/keys .* -d '(.*)'\n```/.exec(page) ?? []
  keys = { add: await issue({}), replace: await issue(JSON.parse(asked)) }
  await house.app.server.listen({ host: '127.0.0.1', port: 0 })
  url = `http://127.0.0.1:${(house.app.server.server.address() as AddressInfo).port}`
  await begin()
})
after(async () => {
  repository.close()
  await github.close()
  house.app.server.server.closeAllConnections()
  await house.close()
})

const BASE_URL = 'https://api.shop.example.com'
const operation = (operationId: string, summary: string) => ({
  operationId,
  summary,
  responses: { 200: { description: 'Done.' } },
})
const LIST = operation('list_orders', 'Lists the orders of the signed-in customer, newest first.')
const REFUND = operation('refund_order', 'Pays one order back to the card that paid it.')
const LEFT_OUT = operation('rebuild_index', 'Builds the index of the orders anew, for operators.')
const document = (paths: object) => JSON.stringify({ openapi: '3.0.3', info: { title: 'Orders', version: '1' }, paths })

const inputs = (more: Record<string, string> = {}): Record<string, string> => ({
  'service-url': url,
  'api-key': keys.add,
  openapi: 'api/openapi.json',
  'openapi-base-url': BASE_URL,
  operations: 'api/operations.json',
  knowledge: 'docs/**/*.md\n!docs/internal/**',
  'knowledge-root': 'docs',
  vocabulary: 'api/words.json',
  ...more,
})
const asShop = <Body = Record<string, unknown>>(method: string, at: string, body?: unknown) =>
  house.ask<Body>(method, at, { key: shop.apiKey, body })
/** What is live, and what waits for a person. */
const live = async () => {
  const { body: tools } = await asShop<{ version: number; toolCount: number }>('GET', '/v1/tools')
  const { body: held } = await asShop<{
    documents: { name: string; source: { commit: string; path: string } | null }[]
  }>('GET', '/v1/knowledge')
  const { body: pack } = await asShop<{ version: number }>('GET', '/v1/domain-pack')
  const { body: waiting } = await asShop<{ count: number }>('GET', '/v1/domain-pack/suggestions')
  return {
    tools: tools.version,
    pack: pack.version,
    documents: held.documents.map(({ name }) => name),
    waiting: waiting.count,
  }
}
const commentOf = (issue: number): string => {
  const held = github.comments.filter((one) => one.issue === issue)
  assert.equal(held.length, 1, 'one comment, never two')
  return held[0]?.body ?? ''
}
const keepsSecrets = ({ log, summary, outputs }: Ran) => {
  const said =
    log.replace(/^::add-mask::.*$/gm, '') + summary + JSON.stringify(outputs) + JSON.stringify(github.comments)
  for (const secret of [...Object.values(keys), shop.apiKey, TOKEN])
    assert.ok(!said.includes(secret), 'a secret is shown')
}

/** The commit that the tests begin with, and what was live then. Each test goes on from the one before. */
let first: string
let nothing: Awaited<ReturnType<typeof live>>
async function begin(): Promise<void> {
  repository.write(
    'api/openapi.json',
    document({ '/orders': { get: LIST }, '/orders/{number}/refund': { post: REFUND }, '/index': { post: LEFT_OUT } }),
  )
  repository.write('api/operations.json', JSON.stringify({ list_orders: { is_write: false } }))
  repository.write('api/words.json', JSON.stringify({ returns: ['refund', 'money back'] }))
  repository.write('docs/help/returns.md', '# Returns\n\nSend it back within 14 days.')
  repository.write('docs/help/delivery.md', '# Delivery\n\nThe courier comes on Tuesdays.')
  repository.write('docs/internal/wages.md', '# Wages\n\nNobody’s business.')
  first = repository.commit()
  nothing = await live()
}

test('a pull request gets a comment, and changes nothing', async () => {
  const ran = await repository.step(inputs(), { pull: { number: 7 }, sha: first })
  assert.equal(ran.code, 0, ran.log)
  assert.deepEqual(await live(), nothing)
  const comment = commentOf(7)
  assert.match(comment, /^<!-- tether-action:tether run:100 -->\n### What this changes for the assistant/)
  assert.match(
    comment,
    /\*\*New\*\* `POST \/orders\/\{number\}\/refund` \(`refund_order`\), which looks like a write: `Pays one order back/,
  )
  assert.match(comment, /Nothing has been imported yet/)
  assert.match(comment, /that it is skipped, in `api\/operations\.json`:\n\n- `refund_order`\n- `rebuild_index`\n/)
  assert.match(comment, /\*\*New\*\* `help-returns\.md`, from `docs\/help\/returns\.md`/)
  assert.match(comment, /They are sent once this is merged/)
  assert.match(comment, /- `returns`: `refund`, `money back`\n\nThey are suggested once this is merged/)
  assert.doesNotMatch(comment, /wages/)
  const { 'comment-url': at, report, ...counts } = ran.outputs
  assert.equal(at, `https://github.com/corner-shop/backend/pull/7#issuecomment-${github.comments[0]?.id}`)
  assert.deepEqual(counts, { changes: '3', undeclared: '2', documents: '2', suggestion: '', problems: '0' })
  assert.deepEqual(JSON.parse(report ?? '').undeclared, ['refund_order', 'rebuild_index'])
  assert.equal(ran.summary.trim(), comment.replace(/^.*\n/, ''))
  keepsSecrets(ran)
})

test('its branch sends the documents and suggests the words, and a person decides the rest', async () => {
  const ran = await repository.step(inputs(), { sha: first })
  assert.equal(ran.code, 0, ran.log)
  assert.deepEqual(await live(), { ...nothing, documents: ['help-delivery.md', 'help-returns.md'], waiting: 1 })
  const { body } = await asShop<{ documents: { source: object }[] }>('GET', '/v1/knowledge')
  assert.deepEqual(body.documents[1]?.source, {
    kind: 'repository',
    commit: first,
    path: 'docs/help/returns.md',
    dirty: false,
  })
  assert.match(ran.outputs.suggestion ?? '', /^sug_/)
  assert.match(ran.summary, /the assistant answers from them now/)
  const again = await repository.step(inputs(), { sha: first })
  assert.deepEqual([again.outputs.documents, (await live()).waiting], ['0', 1], 'what is the same is not sent again')
  keepsSecrets(ran)
})

test('a later one tells what it does from what was left out before, also where only a letter changes', async () => {
  await asShop('POST', `/v1/domain-pack/suggestions/${await suggestionId()}/accept`, {})
  await register(JSON.parse('{"list_orders": {"is_write": false}, "refund_order": {"is_write": true}}'))
  const longer = { ...LIST, parameters: [{ name: 'status', in: 'query', schema: { type: 'string' } }] }
  const cancel = operation('cancel_order', 'Cancels one order that has not been sent yet.')
  repository.write(
    'api/openapi.json',
    document({ '/orders': { get: longer }, '/orders/{number}': { delete: cancel }, '/index': { post: LEFT_OUT } }),
  )
  repository.write(
    'api/operations.json',
    JSON.stringify({ list_orders: { is_write: false }, refund_order: { is_write: true } }),
  )
  repository.write('docs/help/returns.md', '# Returns\n\nSend it back within 41 days.')
  const second = repository.commit()
  const before = await live()
  const ran = await repository.step(inputs(), { pull: { number: 8, base: first }, sha: second, runId: 101 })
  assert.deepEqual(await live(), before)
  const comment = commentOf(8)
  assert.match(comment, /\*\*New\*\* `DELETE \/orders\/\{number\}` \(`cancel_order`\)/)
  assert.match(comment, /\*\*Changed\*\* `GET \/orders` \(`list_orders`\)/)
  assert.match(comment, /\*\*Gone\*\* `POST \/orders\/\{number\}\/refund` \(`refund_order`\)/)
  assert.match(comment, /From before this change: 1 operation not in the catalog\./)
  assert.match(comment, /\*\*Changed\*\* `help-returns\.md`.*\n\n.*merged.*\n\n1 other stays the same/s)
  assert.match(comment, /The pack has all words/)
  assert.equal(ran.outputs.changes, '3')
  // Two things would go wrong after the merge, and are said before it.
  assert.match(comment, /`api\/operations\.json` declares what the document does not have.*`refund_order`/)
  assert.match(comment, /A document has changed, and this CI key may only add new ones\..*allowReplace/)
  assert.deepEqual([ran.code, ran.outputs.problems], [1, '2'])

  repository.write(
    'api/operations.json',
    JSON.stringify({ list_orders: { is_write: false }, cancel_order: { skip: true } }),
  )
  const third = repository.commit()
  const mended = await repository.step(inputs({ 'api-key': keys.replace, 'fail-on': 'undeclared' }), {
    pull: { number: 8, base: first },
    sha: third,
    runId: 102,
  })
  assert.equal(mended.code, 0, mended.log)
  assert.equal(mended.outputs['comment-url'], ran.outputs['comment-url'])
  assert.match(commentOf(8), /run:102 -->/)
  assert.doesNotMatch(commentOf(8), /went wrong|skipped, in/)
  keepsSecrets(ran)
  keepsSecrets(mended)
})

test('what a person wrote is not replaced, and what has no file any more is named', async () => {
  await asShop('POST', '/v1/knowledge', { name: 'help-hours.md', text: 'From nine to five.' })
  repository.write('docs/help/hours.md', '# Hours\n\nWhenever we like.')
  const fourth = repository.commit()
  const ran = await repository.step(
    inputs({ 'api-key': keys.replace, knowledge: 'docs/**/*.md\n!docs/internal/**\n!docs/help/delivery.md' }),
    { sha: fourth },
  )
  assert.equal(ran.code, 1)
  assert.match(ran.summary, /`docs\/help\/hours\.md` would replace the document `help-hours\.md`, which a person added/)
  const { body } = await asShop<{ document: { text: string } }>('GET', '/v1/knowledge/help-hours.md')
  assert.equal(body.document.text, 'From nine to five.')
  const { body: returns } = await asShop<{ document: { text: string } }>('GET', '/v1/knowledge/help-returns.md')
  assert.match(returns.document.text, /41 days/, 'the others were sent')
  await asShop('POST', '/v1/knowledge', {
    name: 'old.md',
    text: 'Old.',
    source: { kind: 'repository', commit: first, path: 'docs/old.md', dirty: false },
  })
  const later = await repository.step(inputs({ 'api-key': keys.replace }), { pull: { number: 9 }, sha: fourth })
  assert.match(commentOf(9), /a CI key deletes nothing.*\n\n- \*\*Left\*\* `old\.md`, from `docs\/old\.md`/s)
  assert.equal(later.code, 1)
})

async function suggestionId(): Promise<string> {
  const { body } = await asShop<{ suggestions: { id: string }[] }>('GET', '/v1/domain-pack/suggestions')
  return body.suggestions[0]?.id ?? ''
}

async function register(operations: object): Promise<void> {
  const text = github.files.get([...github.files.keys()].find((name) => name.endsWith(':api/openapi.json')) ?? '') ?? ''
  const { body } = await asShop<{ catalog: unknown[] }>('POST', '/v1/tools/import', {
    document: text,
    baseUrl: BASE_URL,
    operations,
    skipUndeclared: true,
  })
  assert.equal((await asShop('PUT', '/v1/tools', body.catalog)).status, 200)
}

test('a fork and Dependabot have no secrets, and that is said; anybody else has forgotten one', async () => {
  const none = inputs({ 'api-key': '' })
  const asked = github.asked.length
  for (const on of [
    { pull: { number: 20, head: 'stranger/backend' } },
    { pull: { number: 20, head: null } },
    { pull: { number: 20 }, actor: 'dependabot[bot]' },
  ]) {
    const skipped = await repository.step(none, on)
    assert.equal(skipped.code, 0, skipped.log)
    assert.match(skipped.log, /^::notice title=Tether::GitHub hands no secrets to a pull request of a fork/m)
    assert.match(skipped.summary, /hands no secrets/)
    assert.equal((await repository.quick({ ...none, 'without-key': 'fail' }, on)).code, 1)
  }
  const forgotten = await repository.quick(none, { pull: { number: 20 } })
  assert.equal(forgotten.code, 1)
  assert.match(forgotten.log, /::error title=Tether::api-key is empty\. Put a CI key into a secret/)
  assert.equal(github.asked.length, asked)
})

test('what a fork proposes is never sent, and neither is what no branch holds', async () => {
  const before = await live()
  repository.write('docs/help/promise.md', '# A promise\n\nEverything is free.')
  repository.commit()
  const always = inputs({
    'api-key': keys.replace,
    publish: 'always',
    openapi: '',
    'openapi-base-url': '',
    operations: '',
    vocabulary: '',
  })
  for (const on of [
    { event: 'pull_request_target', pull: { number: 21, head: 'stranger/backend' }, ref: 'refs/heads/main' },
    { event: 'merge_group', ref: 'refs/heads/gh-readonly-queue/main/pr-21' },
    { event: 'workflow_run', ref: 'refs/heads/main' },
  ])
    await repository.quick(always, on)
  const merged = { ...always, publish: 'merged' }
  for (const on of [
    { pull: { number: 21 } },
    { ref: 'refs/heads/next' },
    { ref: 'refs/tags/main' },
    { event: 'merge_group' },
  ])
    await repository.quick(merged, on)
  await repository.quick({ ...always, publish: 'never' }, {})
  assert.deepEqual(await live(), before)
  await repository.quick({ ...merged, branch: 'next' }, { ref: 'refs/heads/next' })
  assert.ok((await live()).documents.includes('help-promise.md'))
  repository.write('docs/help/made.md', '# Made\n\nBy a step before, and never committed.')
  await repository.quick({ ...merged, branch: 'next' }, { ref: 'refs/heads/next' })
  const { body } = await asShop<{ documents: { name: string; source: { dirty: boolean } }[] }>('GET', '/v1/knowledge')
  const dirty = ['help-made.md', 'help-promise.md'].map(
    (one) => body.documents.find(({ name }) => name === one)?.source.dirty,
  )
  assert.deepEqual(dirty, [true, false])
})

test('a file that leads out of the repository is not read', async () => {
  symlinkSync('/etc/hostname', path.join(repository.folder, 'api/link.json'))
  symlinkSync('/etc', path.join(repository.folder, 'api/folder'))
  for (const openapi of [
    '../../../etc/hostname',
    '/etc/hostname',
    'api/link.json',
    'api/folder/hostname',
    '.git/config',
    'api/../.git/config',
    'api',
    'nowhere.json',
  ]) {
    const { code, log } = await repository.quick(
      inputs({ openapi, operations: '', knowledge: '', vocabulary: '', comment: 'never' }),
      { pull: { number: 22 } },
    )
    assert.equal(code, 1, openapi)
    assert.match(log, /::error title=Tether::`.+` cannot be read\. (?:Name|There|It)/, openapi)
  }
  const { summary } = await repository.quick(
    inputs({
      knowledge: 'api/*.json\n!api/w*',
      openapi: '',
      'openapi-base-url': '',
      operations: '',
      vocabulary: '',
      comment: 'never',
      'knowledge-root': '',
    }),
    { pull: { number: 22 } },
  )
  assert.match(summary, /api-openapi\.json/)
  assert.doesNotMatch(summary, /link/)
})

test('what the service refuses is said with its words, and what to do', async () => {
  const only = { operations: '', knowledge: '', vocabulary: '', comment: 'never' }
  repository.write('api/broken.yaml', 'openapi: [3.0\n')
  const broken = await repository.quick(inputs({ ...only, openapi: 'api/broken.yaml' }), { pull: { number: 23 } })
  assert.equal(broken.code, 1)
  assert.match(broken.log, /POST \/v1\/tools\/import answered 400 \(request req_[\w-]+\)\. .*YAML.*Change what it says/)
  const unknown = await repository.quick(inputs({ ...only, 'api-key': `tci_${'0'.repeat(48)}` }), {
    pull: { number: 23 },
  })
  assert.match(unknown.log, /answered 401.*The key is not valid/)
  assert.equal(
    (
      await repository.quick(inputs({ ...only, 'api-key': `tci_${'0'.repeat(48)}`, 'fail-on': 'never' }), {
        pull: { number: 23 },
      })
    ).code,
    0,
  )
  const away = await repository.quick(inputs({ ...only, 'service-url': 'http://127.0.0.1:9' }), {
    pull: { number: 23 },
  })
  assert.match(away.log, /The service did not answer\..*Check service-url/)
  assert.equal(away.waits.length, 3, 'it is asked four times')
  const elsewhere = await repository.quick(inputs({ ...only, 'service-url': `${url}/console` }), {
    pull: { number: 23 },
  })
  assert.match(elsewhere.log, /service-url must be an https address without a path/)
})
