// Every code block of the README and of the documents is run, or is looked at as far as it can be, and is named here with the reason.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import test, { after, before } from 'node:test'
import { loadSettings } from '../../kernel/settings/index.ts'
import { answerDiffers, linesDiffer } from './fixtures/alike.ts'
import { type Block, blocksOf, PAGES, placeOf, ROOT } from './fixtures/fences.ts'
import { HELD, RUN_ELSEWHERE } from './fixtures/held.ts'
import { sceneOf } from './fixtures/pages.ts'
import { pasted } from './fixtures/paste.ts'
import { openService, type Service } from './fixtures/running-service.ts'
import { openShell, type Shell } from './fixtures/shell.ts'

const missing = ['bash', 'curl', 'jq', 'openssl', 'setsid'].filter(
  (name) => !['/bin', '/usr/bin'].some((at) => existsSync(`${at}/${name}`)),
)
const skip = missing.length === 0 ? false : `there is no ${missing.join(' and no ')}`

const HOW = 'CONTRIBUTING.md says under "Write a code block" how a block is run.'
const isFile = ({ as }: Block): boolean => as.includes('.')
const heldBy = (block: Block) => HELD.filter(({ page, has }) => page === block.page && block.code.includes(has))
const elsewhere = (block: Block) =>
  RUN_ELSEWHERE.filter(
    ({ page, languages, has = '' }) =>
      page === block.page && languages.includes(block.language) && block.code.includes(has),
  )

/** Whether the block is pasted into the shell of its page, or belongs to what is. */
const isPasted = (block: Block): boolean =>
  heldBy(block).length === 0 &&
  elsewhere(block).length === 0 &&
  (block.language === 'sh' || block.as === 'answer' || block.as === 'second' || isFile(block))

const blocks = PAGES.flatMap((page) => blocksOf(page))
const pages = Map.groupBy(blocks.filter(isPasted), ({ page }) => page)
const settings = blocks.filter(({ language }) => language === 'env')

let service: Service
before(async () => {
  if (skip === false) service = await openService()
})
after(async () => {
  if (skip === false) await service.close()
})

test('no block is run by nothing, and none twice', () => {
  assert.ok(blocks.length > 60, String(blocks.length))
  for (const block of blocks) {
    const ways = [
      block.language === 'text' && block.as === '' ? ['a drawing, in which there is nothing to run'] : [],
      block.language === 'env' ? ['the settings'] : [],
      isPasted(block) ? ['the shell of its page'] : [],
      heldBy(block).map(({ has }) => `what holds "${has}"`),
      elsewhere(block).map(({ by }) => by),
    ].flat()
    assert.notEqual(ways.length, 0, `${placeOf(block)} is run by nothing. ${HOW}`)
    assert.equal(ways.length, 1, `${placeOf(block)} is run twice: by ${ways.join(' and by ')}.`)
  }
})

test('whatever is said to hold a block holds one, and what another test runs is what it reads', () => {
  for (const { page, has } of HELD) {
    const held = blocks.filter((block) => block.page === page && block.code.includes(has))
    assert.equal(held.length, 1, `${held.length} blocks of ${page} have "${has}".`)
  }
  for (const one of RUN_ELSEWHERE) {
    const { page, by, blocks: many } = one
    const run = blocks.filter((block) => elsewhere(block).includes(one))
    assert.equal(run.length, many, `${by} runs ${many} blocks of ${page}, and there are ${run.length}. ${HOW}`)
    const text = readFileSync(path.join(ROOT, by), 'utf8')
    assert.ok(text.includes(page) || text.includes(page.replace('sdk/', '')), `${by} does not read ${page}.`)
  }
})

for (const [page, some] of pages)
  test(`the commands of ${page} work when they are pasted, and answer what it shows`, { skip }, async () => {
    const { env, stands, prelude, files = {}, close } = await sceneOf(page, service)
    const shell = openShell(env, prelude)
    try {
      for (const [file, text] of Object.entries(files)) shell.write(file, text)
      const own = some.map((block) => ({
        ...block,
        code: stands.reduce((code, [from, to]) => code.replaceAll(from, to), block.code),
      }))
      await pasteAll(shell, own, Object.keys(env))
    } finally {
      await shell.close()
      await close?.()
    }
  })

async function pasteAll(shell: Shell, some: readonly Block[], names: readonly string[]): Promise<void> {
  let printed = ''
  for (const [at, block] of some.entries()) {
    const where = placeOf(block)
    const next = some[at + 1]
    if (isFile(block)) shell.write(block.as, block.code)
    else if (block.language === 'sh' && block.as === 'second') await shell.second(block.code)
    else if (block.as === 'second') {
      const heard = await shell.heard((text) => linesDiffer(block.code, text).length === 0)
      assert.deepEqual(linesDiffer(block.code, heard), [], where)
    } else if (block.as === 'answer') assert.deepEqual(answerDiffers(block.code, printed), [], where)
    else {
      const code = pasted(block.code, { last: jsonIn(printed), names })
      const { isOk, out, err } = await shell.run(code, { mayRefuse: next?.as === 'answer' })
      assert.ok(isOk, `${where} failed:\n${out}\n${err}`)
      if (out.trim() !== '') printed = out
    }
  }
}

/** The last JSON value of what was printed, which may be several of them in a row. */
function jsonIn(text: string): unknown {
  for (const { index } of text.matchAll(/[{[]/g)) {
    try {
      return JSON.parse(text.slice(index))
    } catch {
      // Another one begins further on.
    }
  }
  return undefined
}

for (const held of HELD)
  test(`${held.page}: the block with ${held.has}${held.why === undefined ? '' : `. ${held.why}`}`, {
    skip,
  }, async () => {
    const block = blocks.find(({ page, code }) => page === held.page && code.includes(held.has))
    assert.ok(block !== undefined)
    await held.check(block, service)
  })

for (const block of settings)
  test(`${placeOf(block)}: these are settings, and nothing is wrong with them`, { skip }, async () => {
    const shell = openShell({})
    try {
      const { isOk, out, err } = await shell.run(`env -0 > before\nset -a\n${block.code}set +a\nenv -0`)
      assert.ok(isOk, err)
      const set = Object.fromEntries(
        out
          .split('\0')
          .flatMap((line) =>
            /^[A-Za-z]\w*__\w+=/.test(line) || line.startsWith('CONFIG_FILE=') ? [namedValue(line)] : [],
          ),
      )
      assert.ok(Object.keys(set).length > 0)
      // A file is what stands behind it as a remark.
      const [, file = '{}'] = /# (\{.*\})/.exec(block.code) ?? []
      const loaded = loadSettings({
        env: { ...SECRETS, ...set },
        readFile: (name) => (name === set.CONFIG_FILE ? file : '{}'),
      })
      assert.deepEqual(loaded.ok ? [] : loaded.faults, [])
      const unknown = loaded.warnings.filter(({ message }) => message.includes('has no effect'))
      assert.deepEqual(unknown, [])
    } finally {
      await shell.close()
    }
  })

const SECRETS = {
  Encryption__Key: randomBytes(32).toString('base64'),
  Operator__ApiKey: randomBytes(32).toString('hex'),
}
const namedValue = (line: string): [string, string] => [
  line.slice(0, line.indexOf('=')),
  line.slice(line.indexOf('=') + 1),
]

test('a block that nothing runs, an answer that is another one, and a line that cannot be filled in are found', () => {
  const [block] = blocksOf('docs/page.md', 'words\n\n```json\n{"a": 1}\n```\n')
  assert.deepEqual(block, { page: 'docs/page.md', line: 3, language: 'json', as: '', code: '{"a": 1}\n' })
  assert.throws(() => blocksOf('docs/page.md', '```sh\ntrue\n'), /docs\/page\.md:1: the block is not closed/)
  assert.deepEqual(blocksOf('p', '1. a\n\n   ```sh x.mjs\n   one\n     two\n   ```\n')[0]?.code, 'one\n  two\n')

  const shown = '{"id": "…", "state": "paid", "list": [1, "…"], "at": "2026-11-21T09:30:00.000Z"}'
  const came = (more: object) =>
    JSON.stringify({ id: 7, state: 'paid', list: [1, 2], at: '2027-01-01T00:00:00.000Z', ...more })
  assert.deepEqual(answerDiffers(shown, came({})), [])
  for (const other of [{ state: 'sent' }, { list: [2] }, { at: 'yesterday' }, { more: 1 }, { id: undefined }])
    assert.equal(answerDiffers(shown, came(other)).length, 1, JSON.stringify(other))
  assert.deepEqual(answerDiffers('{"a": 1, "…": "…"}', '{"a": 1, "b": 2}'), [])
  assert.equal(answerDiffers('the order is …', 'the order was paid').length, 1)

  const last = { apiKey: 'tth_1', actionId: 'a1', deep: { secret: 'whsec_2' } }
  assert.equal(pasted('export K=tth_…', { last, names: [] }), "export K='tth_1'")
  assert.equal(pasted('S=whsec_…', { last, names: [] }), "export S='whsec_2'")
  assert.equal(pasted('A=…  # the actionId of that answer', { last, names: [] }), "export A='a1'")
  assert.equal(pasted('K=tth_…', { last: undefined, names: ['K'] }), '')
  assert.throws(
    () => pasted('K=tth_…', { last: undefined, names: [] }),
    /Nothing was printed that could stand in "K=tth_…"/,
  )
})

test('a shell stops where a command fails, also inside of a line, and says what a refusal said', { skip }, async () => {
  const shell = openShell({})
  try {
    assert.equal((await shell.run('A=1\necho "$A"')).out, '1\n')
    assert.equal((await shell.run('echo "$A"')).out, '1\n')
    for (const wrong of ['false\necho on', 'A=$(false | cat)\necho on', 'false | cat\necho on'])
      assert.deepEqual(await shell.run(wrong), { isOk: false, out: '', err: '' }, wrong)
    const refused = `curl ${service.url}/v1/account`
    const { isOk, out } = await shell.run(`${refused}\necho on`)
    assert.deepEqual([isOk, out.includes('missing_api_key'), out.includes('on\n')], [false, true, false])
    assert.equal((await shell.run(refused, { mayRefuse: true })).isOk, true)
  } finally {
    await shell.close()
  }
})
