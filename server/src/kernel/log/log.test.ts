import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { type LogOptions, openLog } from './index.ts'

function capture(options: Partial<LogOptions> & { readonly isTTY?: boolean } = {}) {
  const lines: string[] = []
  const stream = { write: (text: string) => lines.push(text), isTTY: options.isTTY }
  const log = openLog({ level: 'debug', format: 'json', now: () => 0, ...options, stream })
  return { log, lines }
}

const LEVELS = ['debug', 'info', 'warn', 'error'] as const

test('a record is one JSON line with level, time, fields and message', () => {
  const { log, lines } = capture()
  for (const level of LEVELS) log[level]({ tenantId: 7 }, 'it %s happened')
  assert.deepEqual(
    lines,
    LEVELS.map(
      (level) => `{"level":"${level}","time":"1970-01-01T00:00:00.000Z","tenantId":7,"msg":"it %s happened"}\n`,
    ),
  )
})

test('a level writes itself and what is above it', () => {
  for (const [index, level] of [...LEVELS, 'silent' as const].entries()) {
    const { log, lines } = capture({ level })
    for (const each of LEVELS) log[each]({}, each)
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).msg),
      LEVELS.slice(index),
    )
  }
})

test('a line below the level costs its fields nothing', () => {
  let reads = 0
  const fields = {
    get expensive() {
      reads += 1
      return 'x'
    },
  }
  const { log, lines } = capture({ level: 'info' })
  log.debug(fields, 'x')
  assert.equal(reads, 0)
  log.info(fields, 'x')
  assert.equal(reads, 1)
  assert.equal(lines.length, 1)
})

test('a child carries its fields into every line; the line wins, and each name stands once', () => {
  const { log, lines } = capture()
  const child = log.child({ requestId: 'req_1', a: 1 }).child({ b: 2 })
  child.info({ a: 3 }, 'x')
  log.info({}, 'y')
  assert.equal(
    lines[0],
    '{"level":"info","time":"1970-01-01T00:00:00.000Z","requestId":"req_1","a":3,"b":2,"msg":"x"}\n',
  )
  assert.equal(lines[1], '{"level":"info","time":"1970-01-01T00:00:00.000Z","msg":"y"}\n')
})

test('a field cannot pass for what the line itself says', () => {
  const { log, lines } = capture()
  log.child({ msg: 'forged', serializers: { a: 1 } }).info({ level: 'error', time: 'never' }, 'real')
  assert.deepEqual(JSON.parse(lines[0] ?? ''), {
    level: 'info',
    time: '1970-01-01T00:00:00.000Z',
    msg_: 'forged',
    serializers: { a: 1 },
    level_: 'error',
    time_: 'never',
    msg: 'real',
  })
  assert.equal(lines[0]?.match(/"(level|time|msg)":/g)?.length, 3)
})

test("an error's other members stay out under every name", () => {
  const { log, lines } = capture()
  const error = Object.assign(new Error('no'), {
    code: '23505',
    detail: 'DATA',
    parameters: ['DATA'],
    toJSON: () => 'DATA',
  })
  log.child({ error }).error({ err: error, failure: { cause: error }, list: [error] }, 'failed')
  assert.ok(!lines[0]?.includes('DATA'))
  const { err } = JSON.parse(lines[0] ?? '')
  assert.deepEqual(Object.keys(err), ['type', 'message', 'code', 'stack'])
  assert.equal(err.type, 'Error')
})

test('auto is pretty on a terminal, with colours unless they are turned off, and JSON elsewhere', () => {
  const written = (options: Parameters<typeof capture>[0]) => {
    const { log, lines } = capture({ format: 'auto', ...options })
    log.info({}, 'x')
    return lines[0] ?? ''
  }
  const onTerminal = written({ isTTY: true })
  assert.ok(onTerminal.startsWith('\u001b[2m') && onTerminal.includes('\u001b[36mINFO'), onTerminal)
  assert.match(written({ isTTY: true, colors: false }), /^\d\d:\d\d:\d\d INFO {3}x\n$/)
  assert.match(written({ isTTY: false }), /^\{/)
  assert.match(written({ isTTY: false, format: 'pretty' }), /^\d\d:\d\d:\d\d INFO {3}x\n$/)
  assert.match(written({ isTTY: true, format: 'json' }), /^\{/)
})

test('exact secrets are masked too', () => {
  const { log, lines } = capture({ secrets: ['no shape of its own at all'] })
  log.info({ a: 'see no shape of its own at all!' }, 'x')
  assert.equal(JSON.parse(lines[0] ?? '').a, 'see ***!')
})

test('the standard output is written before the process dies', () => {
  const script = `
    const { openLog } = await import(process.argv[1])
    const log = openLog({ level: 'info', format: 'auto' })
    for (let line = 0; line < 200; line++) log.info({ line }, 'x'.repeat(500))
    process.kill(process.pid, 'SIGKILL')
  `
  const args = ['--input-type=module', '-e', script, join(import.meta.dirname, 'index.ts')]
  const { stdout, signal } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  assert.equal(signal, 'SIGKILL')
  assert.deepEqual(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).line),
    [...Array(200).keys()],
  )
})

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const from = (letters: string, minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...letters), minLength, maxLength })
const hex = from('0123456789abcdef', 12, 48)
const MARK = '5ec2e7'

/** A secret of each shape; what must not survive follows the mark. */
const secrets: fc.Arbitrary<string> = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('tth', 'tag', 'tpk', 'tac', 'tpv', 'tib', 'tsb', 'tci', 'tck', 'tus'),
      from('0123456789abcdef', 8, 8),
      hex,
    )
    .map(([kind, prefix, rest]) => `${kind}_${prefix}${MARK}${rest}`),
  fc.tuple(from(BASE64, 8, 20), from('+/', 0, 2)).map(([body, more]) => `whsec_${more}${MARK}${body}${more}=`),
  hex.map((body) => `enc:v1:${body.slice(0, 8)}:${MARK}-_:${body}${MARK}`),
  from(`${BASE64}-._~+/!"\\`, 4, 30).map((body) => `Bearer ${MARK}${body}`),
  from(BASE64, 8, 30).map((body) => `eyJhbGciOiJIUzI1NiJ9.${MARK}${body}.${body}-_${MARK}`),
  from(`${BASE64}!$%^*"\\/?#`, 0, 20).map((body) => `postgres://user:${MARK}${body}@db.internal/x`),
  from(`${BASE64}-_`, 8, 40).map((body) => `sk-${MARK}${body}`),
  fc.constant(`operator ${MARK} exact`),
)

// Anything may stand around a secret but a letter or a digit before it.
const before = fc.string({ unit: 'binary', maxLength: 12 }).filter((text) => !/[A-Za-z0-9]$/.test(text))
const after = fc.string({ unit: 'binary', maxLength: 12 }).map((text) => (text === '' ? '' : ` ${text}`))

type Place = (text: string) => { readonly fields: object; readonly message?: string }

const inError = (error: Error) => ({ fields: { err: error } })
const deepest = (text: string) => new Error('outer', { cause: new TypeError('middle', { cause: new Error(text) }) })

const places: { readonly [name: string]: Place } = {
  message: (text) => ({ fields: {}, message: text }),
  field: (text) => ({ fields: { field: text } }),
  nested: (text) => ({ fields: { a: { b: [{ c: text }] } } }),
  longText: (text) => ({ fields: { field: `${'x '.repeat(4085)}${text}${' y'.repeat(3000)}` } }),
  keyName: (text) => ({ fields: { [text]: 1 } }),
  nestedKeyName: (text) => ({ fields: { a: [{ [text]: true }] } }),
  errorMessage: (text) => inError(new Error(text)),
  errorName: (text) => inError(Object.assign(new Error('x'), { name: text })),
  errorCode: (text) => inError(Object.assign(new Error('x'), { code: text })),
  errorMember: (text) => inError(Object.assign(new Error('x'), { detail: text, parameters: [text] })),
  errorCause: (text) => inError(deepest(text)),
  wordsAsCause: (text) => inError(new Error('x', { cause: text })),
  errorOfSeveral: (text) => inError(new AggregateError([new Error(text), text], text)),
  errorUnderAnotherName: (text) => ({ fields: { a: { failure: deepest(text) } } }),
  ownToJson: (text) => ({ fields: { a: { toJSON: () => text } } }),
  bytes: (text) => ({ fields: { a: Buffer.from(text), b: new Map([[text, text]]), c: new Set([text]) } }),
  address: (text) => ({ fields: { a: URL.parse(`https://a.example/?x=${encodeURIComponent(text)}`) && text } }),
}

for (const format of ['json', 'pretty'] as const) {
  test(`no secret survives a ${format} line in any place`, () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.keys(places)),
        before,
        secrets,
        after,
        fc.boolean(),
        (name, left, secret, right, bound) => {
          const { log, lines } = capture({ format, secrets: [`operator ${MARK} exact`] })
          const { fields, message = 'said' } = places[name]?.(`${left}${secret}${right}`) ?? { fields: {} }
          if (bound) log.child({ ...fields }).warn({}, message)
          else log.warn({ ...fields }, message)
          const line = lines.join('')
          assert.ok(!line.includes(MARK), line)
          if (format === 'json') JSON.parse(line)
          else assert.ok(line.endsWith('\n'))
        },
      ),
      { numRuns: 1000 },
    )
  })
}

test('the places really carry the text: a word without a shape arrives', () => {
  for (const [name, place] of Object.entries(places)) {
    const { log, lines } = capture()
    const { fields, message = 'said' } = place('harmless words')
    log.warn({ ...fields }, message)
    const kept = !['ownToJson', 'bytes', 'errorMember'].includes(name)
    assert.equal(lines.join('').includes('harmless words'), kept, name)
  }
})
