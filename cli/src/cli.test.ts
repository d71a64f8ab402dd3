// `tether`, as a person and a pipeline run it: the binary itself, against a real service.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import test from 'node:test'
import { BINARY, openService, type Started, set, start, tether } from './fixtures/binary.ts'

openService()

const number = { type: 'object', properties: { number: { type: 'string', description: 'As on the invoice.' } } }
const GET_ORDER = {
  name: 'get_order',
  description: 'Looks up one order of the shop by the number that stands on its invoice.',
  is_write: false,
  parameters: number,
}
const REFUND = {
  name: 'refund_order',
  description: 'Pays the whole price of one order back to the card that paid it.',
  is_write: true,
  risk: 'high',
  parameters: number,
}
const write = (name: string, value: unknown) =>
  writeFileSync(path.join(set.folder, name), typeof value === 'string' ? value : `${JSON.stringify(value, null, 2)}\n`)
const USER = { TETHER_USER_ID: '7' }

test('help names every command, says how each is given, and asks for nothing', async () => {
  const nothing = { env: { TETHER_API_KEY: undefined, TETHER_BASE_URL: undefined } }
  const { code, out, err } = await tether(['help'], nothing)
  assert.deepEqual([code, err], [0, ''])
  const names = [...out.matchAll(/^ {2}([a-z]+) /gm)].map(([, name = '']) => name)
  assert.ok(names.length > 9)
  for (const name of names) {
    const one = await tether([name, '--help'], nothing)
    assert.deepEqual([one.code, one.err], [0, ''], name)
    assert.match(one.out, new RegExp(`^tether ${name} `))
  }
  assert.match((await tether(['--version'])).out, /^\d+\.\d+\.\d+\n$/)
  const wrong = await tether(['pusj'])
  assert.deepEqual([wrong.code, wrong.out], [2, ''])
  assert.match(wrong.err, /no command “pusj”/)
  assert.equal((await tether(['pull', '--ouput', 'x'])).code, 2)
})

test('validate says each fault at its line, and a file that is not JSON where it stops being so', async () => {
  const lines = [
    '[',
    '  {',
    '    "name": "get_order", "description": "Looks up one order of the shop by its number.",',
    '    "is_write": false,',
    '    "parameters": {"type": "object", "properties": {',
    '      "number": {"type": "strin"}',
    '    }}',
    '  },',
    '  {"name": "get_order", "description": "The same name a second time, to be refused.", "is_write": false},',
    '  {"name": "Bad Name", "description": "A name that cannot be used, to be refused.",',
    '   "is_write": "no"}',
    ']',
  ]
  write('tools.json', lines.join('\n'))
  const { code, out, err } = await tether(['validate'])
  assert.equal(code, 1)
  assert.deepEqual(
    out
      .trimEnd()
      .split('\n')
      .map((line) => /^tools\.json:\d+:\d+: error: \S+(?: Name")?/.exec(line)?.[0]),
    [
      'tools.json:3:5: error: get_order.name:',
      'tools.json:6:18: error: get_order.parameters:',
      'tools.json:9:4: error: get_order.name:',
      'tools.json:10:4: error: "Bad Name"',
      'tools.json:11:4: error: "Bad Name"',
    ],
  )
  assert.match(err, /^✖ tools\.json cannot be registered: 5 faults\.\n$/)
  const json = JSON.parse((await tether(['validate', '--json'])).out)
  assert.deepEqual([json.valid, json.findings.length, json.findings[1].line], [false, 5, 6])
  write('broken.json', '[\n  {"name": "a",}\n]')
  const broken = await tether(['validate', 'broken.json'])
  assert.deepEqual([broken.code, /^broken\.json:2:16: error: .*comma/.test(broken.out)], [1, true], broken.out)
  write('short.json', [{ name: 'a_tool', description: 'Too short.', is_write: false }])
  const warned = await tether(['validate', 'short.json'])
  assert.equal(warned.code, 0)
  assert.match(warned.out, /^short\.json:4:5: warning: a_tool\.description: /)
  assert.match(warned.err, /can be registered: 1 tool, 0 writes, with 1 warning/)
  assert.equal((await tether(['validate', 'nowhere.json'])).code, 2)
})

test('push registers, diff says what a push would change, and pull gives it back', async () => {
  write('tools.json', [GET_ORDER])
  const first = await tether(['push'])
  assert.deepEqual([first.code, first.out], [0, '+ get_order\n'])
  assert.match(first.err, /Version \d+ is registered: 1 tool, 0 writes/)
  const longer = { ...GET_ORDER, risk: 'low', parameters: { ...number, required: ['number'] } }
  write('tools.json', [longer, REFUND])
  const different = await tether(['diff', '--exit-code'])
  assert.equal(different.code, 1)
  assert.equal(different.out, '~ get_order\n    + parameters.required: ["number"]\n+ refund_order\n')
  assert.equal((await tether(['diff'])).code, 0)
  assert.equal((await tether(['push'])).code, 0)
  const same = await tether(['diff', '--exit-code'])
  assert.deepEqual([same.code, same.out], [0, ''])
  const pulled = await tether(['pull'])
  assert.deepEqual(JSON.parse(pulled.out), [longer, REFUND])
  assert.equal((await tether(['pull', '--output', 'tools.json'])).code, 2, 'a file that is there stays')
  assert.equal((await tether(['pull', '--output', 'tools.json', '--force'])).code, 0)
  assert.deepEqual(JSON.parse(readFileSync(path.join(set.folder, 'tools.json'), 'utf8')), [longer, REFUND])
  write('worse.json', [{ ...GET_ORDER, name: 'No' }])
  const refused = await tether(['push', 'worse.json'])
  assert.equal(refused.code, 1)
  assert.match(refused.out, /^worse\.json:3:5: error: No\.name/)
  assert.deepEqual(JSON.parse((await tether(['pull'])).out), [longer, REFUND], 'it is as it was')
})

test('a read is called, and a write waits until somebody approves exactly that', async () => {
  set.business.script('get_order', { do: 'answer', body: { state: 'paid' } })
  const read = await tether(['call', 'get_order', 'number=A-1'])
  assert.deepEqual([read.code, read.out], [0, '{"state":"paid"}\n'])
  assert.deepEqual(set.business.callsTo('get_order').at(-1)?.body?.arguments, { number: 'A-1' })
  const piped = await tether(['call', 'get_order', '-'], { stdin: '{"number": "A-2"}' })
  assert.equal(piped.code, 0)
  assert.equal((await tether(['call', 'get_order', 'number:=[1'])).code, 2)
  const misfit = await tether(['call', 'get_order', 'number:=5'])
  assert.deepEqual([misfit.code, misfit.out], [3, ''], misfit.err)

  const staged = await tether(['stage', 'refund_order', 'number=A-1', '--rationale', 'Broken on arrival'], {
    env: USER,
  })
  assert.equal(staged.code, 0, staged.err)
  const actionId = staged.out.trim()
  assert.match(actionId, /^[0-9a-f-]{36}$/)
  assert.match(staged.err, /waits for a person until .*Nothing has been changed yet/)
  const again = await tether(['call', 'refund_order', 'number=A-3', '--json'])
  assert.doesNotMatch(staged.out + staged.err + again.out + again.err, /tac_|confirmationToken/)
  assert.equal(JSON.parse(again.out).status, 'preview')

  const asked = await tether(['approve', actionId], { env: USER })
  assert.equal(asked.code, 2)
  assert.match(asked.err, /why +Broken on arrival[\s\S]*"number": "A-1"[\s\S]*nobody to ask here/)
  assert.match((await tether(['approve', actionId, '--yes'], { env: USER })).err, /Add --acknowledge/)
  const nobody = await tether(['approve', actionId, '--yes', '--acknowledge'])
  assert.deepEqual([nobody.code, nobody.out], [1, 'ApproverUnknown\n'])
  assert.equal(set.business.callsTo('refund_order').length, 0)
  set.business.script('refund_order', { do: 'answer', body: { refunded: true } })
  const approved = await tether(['approve', actionId, '--yes', '--acknowledge', '--json'], { env: USER })
  assert.equal(approved.code, 0, approved.err)
  assert.equal(JSON.parse(approved.out).status, 'Executed')
  assert.equal(set.business.callsTo('refund_order').length, 1)
  const twice = await tether(['approve', actionId, '--yes', '--acknowledge'], { env: USER })
  assert.equal(set.business.callsTo('refund_order').length, 1, twice.err)
  assert.equal((await tether(['approve', '00000000-0000-7000-8000-000000000000'], { env: USER })).code, 3)
})

test('a number keeps every digit, on the way there and back', async () => {
  const spec = (most: string) =>
    `[{"name": "get_account", "description": "Looks up one account by its number in the ledger.", "is_write": false,
       "parameters": {"type": "object", "properties": {"id": {"type": "integer", "maximum": ${most}}, "rate": {"type": "number", "minimum": 0.10}}}}]`
  write('long.json', spec('90071992547409931'))
  assert.equal((await tether(['push', 'long.json'])).code, 0)
  assert.match((await tether(['pull'])).out, /"maximum": 90071992547409931\D/)
  assert.equal((await tether(['diff', 'long.json', '--exit-code'])).code, 0)
  write('longer.json', spec('90071992547409932'))
  assert.match(
    (await tether(['diff', 'longer.json'])).out,
    /\+ parameters\.properties\.id\.maximum: 90071992547409932\n/,
  )
  set.business.script('get_account', { do: 'answer', body: '{"id": 9007199254740993, "rate": 1.50}' })
  const called = await tether(['call', 'get_account', 'id:=9007199254740993'])
  assert.equal(called.out, '{"id":9007199254740993,"rate":1.50}\n')
  assert.match(set.business.callsTo('get_account').at(-1)?.bytes.toString() ?? '', /"id":9007199254740993\D/)
  write('twice.json', '[{"name": "get_order",\n  "name": "other"}]')
  assert.match((await tether(['validate', 'twice.json'])).out, /^twice\.json:2:3: error: .*has a member "name" already/)
  write('tools.json', [GET_ORDER, REFUND])
  assert.equal((await tether(['push'])).code, 0)
})

test('cases are played a few at a time: a table, what went wrong and its transcript, and an exit code', async () => {
  const results = { get_order: { number: 'A-1', state: 'paid\u001b[2J' } }
  const found = { prompt: 'Where is order A-1?', results, expect: { tool: 'get_order' } }
  const wrong = { prompt: 'Where is order A-1?', results, expect: { noCall: true } }
  write('trials.json', { cases: [found, found, found, found, wrong] })
  const played = await tether(['trials'])
  assert.equal(played.code, 1, played.err)
  const rows = played.out.split('\n').filter((line) => /^(pass|FAIL)\t/.test(line))
  assert.deepEqual(
    rows.map((row) => row.slice(0, 4)),
    ['pass', 'pass', 'pass', 'pass', 'FAIL'],
  )
  assert.match(played.out, /FAIL.*\n {6}✖ .*get_order.*\n {6}visitor: Where is order A-1\?\n[\s\S]*get_order/)
  assert.match(played.err, /4 of 5 cases passed \(offline\)/)
  assert.doesNotMatch(played.out, /(?![\n\t])\p{Cc}/u)
  const json = JSON.parse((await tether(['trials', '--json'])).out)
  assert.deepEqual([json.passed, json.failed, json.count, json.results.length], [4, 1, 5, 5])
  write('one.json', [found])
  assert.equal((await tether(['trials', 'one.json'])).code, 0)
  write('odd.json', { cases: [found, found, found, found, { ...found, expect: { tol: 'get_order' } }] })
  const odd = await tether(['trials', 'odd.json'])
  assert.deepEqual([odd.code, /from number 5 on/.test(odd.err)], [3, true], odd.err)
  write('none.json', '{"cases": [}')
  assert.match((await tether(['trials', 'none.json'])).err, /none\.json:1:12: /)
  assert.equal((await tether(['trials', 'nowhere.json'])).code, 2)
})

test('logs tell what happened, each kind by itself or all by time, and go on when they are followed', async () => {
  await set.house.app.flush()
  const all = await tether(['logs'])
  assert.equal(all.code, 0, all.err)
  const lines = all.out.trim().split('\n')
  assert.ok(lines.length > 5)
  const times = lines.map((line) => line.split('\t')[0] ?? '')
  assert.deepEqual(times, times.toSorted())
  assert.deepEqual([...new Set(lines.map((line) => line.split('\t')[1]))].toSorted(), ['account', 'audit', 'call'])
  const calls = await tether(['logs', 'calls', '--limit', '2', '--json'])
  const told = calls.out.trim().split('\n')
  assert.equal(told.length, 2)
  assert.equal(JSON.parse(told[1] ?? '{}').kind, 'call')
  assert.equal((await tether(['logs', 'everything'])).code, 2)
  assert.equal((await tether(['logs', '--since', 'yesterday'])).code, 2)

  const following = start(['logs', 'audit', '--follow', '--limit', '1'])
  await until(following, (out) => out.split('\n').length > 1)
  const actionId = (await tether(['stage', 'refund_order', 'number=A-77'], { env: USER })).out.trim()
  await until(following, (out) => out.includes(actionId))
  following.child.kill('SIGINT')
  assert.equal((await following.ended).code, 0)
  assert.equal(following.so.out.split(actionId).length - 1, 1, 'once')
})

async function until({ so, child }: Started, holds: (out: string) => boolean): Promise<void> {
  for (const end = performance.now() + 60_000; !holds(so.out); ) {
    if (performance.now() > end || child.exitCode !== null) assert.fail(so.out + so.err)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

test('keys are listed, issued to stdout alone, and revoked; the trail is verified', async () => {
  const issued = await tether(['keys', 'issue', 'agent', '--label', 'a robot'])
  const key = issued.out.trim()
  assert.match(key, /^tag_[0-9a-f]{48}$/)
  assert.ok(!issued.err.includes(key))
  const listed = await tether(['keys'])
  const row = listed.out.split('\n').find((line) => line.startsWith(key.slice(0, 12)))
  assert.deepEqual(
    row?.split('\t').filter((_, at) => at !== 3 && at !== 4),
    [key.slice(0, 12), 'agent', 'a robot', 'live'],
  )
  assert.equal((await tether(['keys', 'revoke', key.slice(0, 12)])).code, 0)
  assert.equal((await tether(['keys', 'revoke', 'tag_00000000'])).code, 3)
  assert.match((await tether(['keys'])).out, /a robot\t.*\trevoked/)
  assert.equal((await tether(['keys', 'issue', 'nothing'])).code, 3)

  const verified = await tether(['audit', 'verify'])
  assert.equal(verified.code, 0)
  assert.match(verified.out, /^\d+\t[0-9a-f]{64}\n$/)
  assert.equal((await tether(['audit'])).code, 2)
  await set.house.database.database.script(
    `alter table audit_events disable trigger user; update audit_events set source = 'forged' where tenant_id = ${set.shop.tenantId} and id = 1; alter table audit_events enable trigger user`,
  )
  const forged = await tether(['audit', 'verify'])
  assert.deepEqual([forged.code, forged.out], [1, ''])
  assert.match(forged.err, /Event 1 is not as it was written/)
})

test('a key never comes with the command, and one that is kept is for its owner alone', async () => {
  const { apiKey } = set.shop
  const told = await tether(['login', set.url, apiKey])
  assert.equal(told.code, 2)
  assert.ok(!told.err.includes(apiKey) && /Replace that key/.test(told.err))
  const without = { TETHER_API_KEY: undefined, TETHER_BASE_URL: undefined }
  const nobody = await tether(['keys'], { env: without })
  assert.deepEqual([nobody.code, /tether login/.test(nobody.err)], [2, true])
  const wrong = await tether(['login', set.url], { env: without, stdin: `tth_${'0'.repeat(48)}\n` })
  assert.equal(wrong.code, 3)
  const file = path.join(set.folder, 'config/tether/login.json')
  assert.equal(existsSync(file), false, 'a key that does not work is not kept')

  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, '{}', { mode: 0o644 })
  const kept = await tether(['login', `${set.url}/`], { env: without, stdin: `${apiKey}\n` })
  assert.equal(kept.code, 0, kept.err)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.ok(!(kept.out + kept.err).includes(apiKey))
  assert.equal((await tether(['keys'], { env: without })).code, 0)
  const elsewhere = await tether(['keys'], { env: { TETHER_API_KEY: '', TETHER_BASE_URL: 'https://other.example' } })
  assert.deepEqual([elsewhere.code, /is for http/.test(elsewhere.err)], [2, true], 'it is sent to nobody else')
  chmodSync(file, 0o640)
  const open = await tether(['keys'], { env: without })
  assert.deepEqual([open.code, /chmod 600/.test(open.err)], [2, true])
})

test('what the service refuses, and one that is not there, end otherwise than a wrong command', async () => {
  const refused = await tether(['keys'], { env: { TETHER_API_KEY: `tth_${'0'.repeat(48)}` } })
  assert.deepEqual([refused.code, refused.out], [3, ''])
  assert.match(refused.err, /invalid_api_key, request req_/)
  const json = await tether(['keys', '--json'], { env: { TETHER_API_KEY: `tth_${'0'.repeat(48)}` } })
  assert.equal(JSON.parse(json.out).error.code, 'invalid_api_key')
  const away = await tether(['push'], { env: { TETHER_BASE_URL: 'http://127.0.0.1:9' } })
  assert.deepEqual([away.code, away.out], [4, ''])
  const odd = await tether(['keys'], { env: { TETHER_API_KEY: 'secret-of-somebody' } })
  assert.deepEqual([odd.code, odd.err.includes('secret-of-somebody')], [2, false])
})

const SCRIPT = '/usr/bin/script'
const terminal = (command: string) => [SCRIPT, '-qec', command, '/dev/null']
const quoted = (...words: string[]) => words.map((word) => `'${word}'`).join(' ')

test('a terminal gets colours, lines that fit and a question; NO_COLOR and a pipe get none', {
  skip: existsSync(SCRIPT) ? false : 'there is no `script` here',
}, async () => {
  const command = (...words: string[]) => `stty cols 60; ${quoted(process.execPath, BINARY, ...words)}`
  const run = (words: string[], more: { env?: Record<string, string>; stdin?: string } = {}) =>
    tether([], { program: terminal(command(...words)), ...more, env: { TERM: 'xterm', ...USER, ...more.env } })
  write('tools.json', [GET_ORDER, REFUND])
  assert.equal((await tether(['push'])).code, 0)
  const help = await run(['help'])
  assert.match(help.out, /\p{Cc}\[1mtether\p{Cc}\[0m/u)
  const widths = help.out.split(/\r?\n/).map((line) => line.replace(/\p{Cc}\[\d+m/gu, '').length)
  assert.ok(Math.max(...widths) <= 60, String(Math.max(...widths)))
  assert.doesNotMatch((await run(['help'], { env: { NO_COLOR: '1' } })).out, /\p{Cc}\[/u)
  const actionId = (await tether(['stage', 'refund_order', 'number=A-9'], { env: USER })).out.trim()
  const declined = await run(['approve', actionId], { stdin: 'no\n' })
  assert.equal(declined.code, 1, declined.out)
  assert.match(declined.out, /Type “high” to confirm it/)
  const agreed = await run(['approve', actionId], { stdin: 'high\n' })
  assert.equal(agreed.code, 0, agreed.out)
  assert.match(agreed.out, /Executed/)
})

test('what others wrote cannot steer the terminal', async () => {
  const hostile = '\u001b[2J\u009b2J\u0007\u202egone\n✔ Done.'
  set.business.script('get_order', { do: 'answer', body: { note: hostile } })
  const called = await tether(['call', 'get_order', 'number=A'])
  assert.deepEqual(JSON.parse(called.out), { note: hostile })
  const staged = await tether(['stage', 'refund_order', '-'], {
    env: USER,
    stdin: JSON.stringify({ number: 'A\u009b\nB' }),
  })
  const shown = await tether(['approve', staged.out.trim()], { env: USER })
  assert.match(shown.err, /"number": "A\\u009b\\nB"\n/)
  for (const { out, err } of [called, staged, shown]) assert.doesNotMatch(out + err, /(?!\n)\p{Cc}|\u202e/u)
  assert.equal(called.out.split('\n').length, 2)
})

test('it is packed with nothing beside it, and runs from where npm puts it', () => {
  const npm = (...words: string[]) =>
    execFileSync('npm', [...words, '--no-audit', '--no-fund', '--offline'], { cwd: set.folder, encoding: 'utf8' })
  const tarball = npm('pack', path.join(import.meta.dirname, '..'), '--silent').trim()
  npm('init', '-y')
  npm('install', `./${tarball}`)
  const { packages } = JSON.parse(readFileSync(path.join(set.folder, 'package-lock.json'), 'utf8'))
  assert.deepEqual(Object.keys(packages), ['', 'node_modules/@tether/cli'])
  const said = execFileSync(path.join(set.folder, 'node_modules/.bin/tether'), ['--version'], { encoding: 'utf8' })
  assert.equal(said, '1.0.0\n')
  const held = execFileSync('tar', ['-tzf', tarball], { cwd: set.folder, encoding: 'utf8' }).trim().split('\n').sort()
  assert.deepEqual(held, [
    'package/LICENSE',
    'package/README.md',
    'package/dist/tether.js',
    'package/package.json',
    ...['receiver.mjs', 'receiver.test.mjs', 'tools.json', 'trials.json'].map((name) => `package/template/${name}`),
  ])
})

test('what is agreed to is shown as it would be sent: no argument passes for a line of ours, or hides a sign', async () => {
  const given = { number: 'A-\u200b1\u3164', risk: 'low', why: 'The owner has\nstate     approved it' }
  const staged = await tether(['stage', 'refund_order', '-'], { env: USER, stdin: JSON.stringify(given) })
  const { err } = await tether(['approve', staged.out.trim()], { env: USER })
  assert.deepEqual(
    err.match(/^ {2}(?:risk|state|why) +.*$/gm)?.map((line) => line.trim().split(/ +/)),
    [
      ['risk', 'high'],
      ['state', 'pending'],
    ],
  )
  assert.match(err, /"number": "A-\\u200b1\\u3164"/)
})

test('a service that is none of ours cannot steer the terminal by its codes either', async () => {
  const hostile = '\u001b[2J\u001b[8m\u009b2J\u202egone'
  const server = createServer((_request, response) => {
    const error = { code: `no${hostile}`, message: `Not so.${hostile}`, requestId: `req${hostile}` }
    response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error, status: hostile }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  try {
    for (const words of [['approve', 'x'], ['keys'], ['call', 'get_order'], ['keys', 'issue', 'agent']]) {
      const { out, err } = await tether(words, { env: { ...USER, TETHER_BASE_URL: `http://127.0.0.1:${port}` } })
      assert.doesNotMatch(out + err, /(?!\n)\p{Cc}|\u202e/u)
    }
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
