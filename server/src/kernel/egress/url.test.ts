import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { corpus } from './fixtures/corpus.ts'
import type { EgressPolicy } from './policy.ts'
import { checkUrl, type Target, type UrlCheck } from './url.ts'

const strict: EgressPolicy = { allowInsecure: false, allowPrivateNetwork: false }
const insecure: EgressPolicy = { ...strict, allowInsecure: true }
const development: EgressPolicy = { allowInsecure: true, allowPrivateNetwork: true }

const check = (text: string, policy = strict): UrlCheck => checkUrl(text, policy, { noun: 'Endpoint' })

function accepted(text: string, policy = strict): Target {
  const result = check(text, policy)
  if (!result.ok) assert.fail(`${text}: ${result.message}`)
  return result.target
}

function refusal(text: string, policy = strict): string {
  const result = check(text, policy)
  if (result.ok) assert.fail(`${text} was accepted`)
  return result.message
}

test('the words say what is wrong, with the name that the caller gives the address', () => {
  const httpsOnly = 'Endpoint must use HTTPS.'
  const notAbsolute = 'Endpoint is not an absolute URL.'
  for (const text of ['http://shop.com/hook', 'ftp://shop.com/', 'wss://shop.com/'])
    assert.equal(refusal(text), httpsOnly)
  for (const text of [
    '',
    '/hook',
    'shop.com/hook',
    '//shop.com',
    'https://',
    'not a url',
    'mailto:a@shop.com',
    'https://a b.com',
  ]) {
    assert.equal(refusal(text), notAbsolute, text)
  }
  assert.equal(refusal('ftp://shop.com/', insecure), 'Endpoint must use HTTP or HTTPS.')
  const feed = checkUrl('x', strict, { noun: 'Feed' })
  assert.ok(!feed.ok && feed.message === 'Feed is not an absolute URL.')
  assert.match(refusal('https://me@shop.com/'), /user name/)
  assert.match(refusal('https://:secret@shop.com/'), /password/)
  assert.match(refusal(`https://shop.com/${'a'.repeat(2040)}`), /longer than 2048/)
  assert.match(refusal(`https://shop.com/${'ü'.repeat(700)}`), /longer than 2048/, 'the written form counts too')
  assert.match(refusal('https://printer/'), /local name/)
  assert.match(refusal('https://10.0.0.1/'), /public internet/)
})

test('a good address is kept in the one form that was judged', () => {
  assert.deepEqual(accepted('  HTTPS://Shop.COM:443/a b?q=1#part '), {
    href: 'https://shop.com/a%20b?q=1',
    origin: 'https://shop.com',
    secure: true,
    host: 'shop.com',
    isLiteral: false,
    port: 443,
    path: '/a%20b?q=1',
  })
  assert.equal(accepted('https://shop.com./x').href, 'https://shop.com/x')
  assert.equal(accepted('https://bücher.de/').host, 'xn--bcher-kva.de')
  assert.equal(accepted('https://[2606:4700:4700::1111]:8443/').host, '2606:4700:4700::1111')
  assert.equal(accepted('https://my_bucket.s3.amazonaws.com/').host, 'my_bucket.s3.amazonaws.com')
  assert.equal(accepted(`https://shop.com/${'a'.repeat(2048 - 17)}`).href.length, 2048)
  const plain = checkUrl('http://shop.com/', strict, { noun: 'Site', plainHttp: true })
  assert.ok(plain.ok && plain.target.port === 80)
})

test('ports: the default of the scheme and those from 1024 up that are meant for HTTP', () => {
  for (const port of [443, 8443, 8080, 3000, 65_535, 1024])
    assert.equal(accepted(`https://shop.com:${port}/`).port, port)
  for (const port of [0, 1, 22, 25, 53, 80, 465, 993, 1023, 2049, 5060, 6000, 6667, 10_080])
    refusal(`https://shop.com:${port}/`)
  assert.equal(accepted('http://shop.com/', insecure).port, 80)
  refusal('http://shop.com:443/', insecure)
})

test('local, special-use and control names are refused, with any number of labels before them', () => {
  const local =
    'localhost a.localhost x.local printer.lan db.internal nas.home.arpa shop.test shop.example shop.invalid intranet'
  for (const name of local.split(' ')) {
    assert.match(refusal(`https://${name}/`), /local name/, name)
    assert.match(refusal(`https://${name}./`), /local name/, `${name}.`)
    assert.match(refusal(`https://${name.toUpperCase()}/`), /local name/, name)
    assert.equal(accepted(`https://${name}/`, development).host, name)
  }
  const control =
    'metadata metadata.google.internal metadata.goog instance-data instance-data.ec2.internal kubernetes.default kubernetes.default.svc'
  for (const name of control.split(' ')) {
    for (const policy of [strict, development])
      assert.match(refusal(`https://${name}/`, policy), /this service never calls/, name)
  }
  assert.equal(accepted('https://notlocalhost.com/').host, 'notlocalhost.com')
  assert.equal(accepted('https://metadata.shop.com/').host, 'metadata.shop.com')
  const own: EgressPolicy = { ...strict, refuseNames: ['Assist.Shop.com'] }
  refusal('https://assist.shop.com/', own)
  refusal('https://a.assist.shop.com/', own)
  accepted('https://shop.com/', own)
})

test('names that cannot exist are refused', () => {
  const long = `${'a'.repeat(63)}.`.repeat(4)
  for (const name of [
    'shop..com',
    '.shop.com',
    'shop.com..',
    `${'a'.repeat(64)}.com`,
    `${long}com`,
    "it's.com",
    '*.shop.com',
    'a$b.com',
  ]) {
    assert.match(refusal(`https://${name}/`), /cannot exist/, name)
  }
})

test('development lets private addresses through, and never machine metadata', () => {
  for (const host of ['127.0.0.1', '[::1]', '10.1.1.1', '192.168.0.4']) accepted(`http://${host}:8080/`, development)
  for (const host of [
    '169.254.169.254',
    '[fd00:ec2::254]',
    '100.100.100.200',
    '168.63.129.16',
    '0.0.0.0',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[fe80::1]',
  ]) {
    refusal(`http://${host}/`, development)
  }
})

// Digit by digit and dot by dot, in every way that the URL parser still reads as an IPv4 address.
const spellings = (parts: readonly [number, number, number, number]): fc.Arbitrary<string> => {
  const radix = fc.constantFrom(
    (value: number) => String(value),
    (value: number) => `0x${value.toString(16)}`,
    (value: number) => `0X${value.toString(16).toUpperCase()}`,
    (value: number) => `0${value.toString(8)}`,
    (value: number) => `000${value.toString(8)}`,
  )
  const [a, b, c, d] = parts
  const folded = fc.constantFrom(
    [a, b, c, d],
    [a, b, c * 256 + d],
    [a, b * 65_536 + c * 256 + d],
    [a * 16_777_216 + b * 65_536 + c * 256 + d],
  )
  const dot = fc.constantFrom('.', '。', '．', '｡', '%2e', '%2E')
  const digits = fc.constantFrom(
    (text: string) => text,
    (text: string) => text.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    (text: string) => text.replace(/\d/g, (digit) => `%3${digit}`),
    (text: string) => text.replace(/[1-9]/g, (digit) => String.fromCodePoint(0x2460 + Number(digit) - 1)),
  )
  const tail = fc.constantFrom('', '.')
  const noise = fc.constantFrom('', '\u00ad', '\t', '\n')
  return fc
    .tuple(folded, fc.array(radix, { minLength: 4, maxLength: 4 }), dot, digits, tail, noise)
    .map(([numbers, radixes, separator, write, end, between]) => {
      const text = numbers.map((value, index) => write((radixes[index] ?? String)(value))).join(separator)
      // A soft hyphen inside of a percent escape would break the escape.
      const gap = text.includes('%') && between === '\u00ad' ? '' : between
      return `${text.slice(0, 1)}${gap}${text.slice(1)}${end}`
    })
}

test('every spelling of a loopback address is refused; the same spelling of a public one is read as that address', () => {
  const octet = fc.integer({ min: 0, max: 255 })
  const loopback = fc.tuple(octet, octet, octet).chain(([b, c, d]) => spellings([127, b, c, d]))
  fc.assert(
    fc.property(loopback, (host) => assert.match(refusal(`https://${host}/`), /public internet/, host)),
    { numRuns: 800 },
  )
  const open = fc
    .tuple(octet, octet, octet)
    .chain(([b, c, d]) => spellings([8, b, c, d]).map((host) => ({ host, plain: `8.${b}.${c}.${d}` })))
  fc.assert(
    fc.property(open, ({ host, plain }) => assert.equal(accepted(`https://${host}/`).host, plain)),
    { numRuns: 800 },
  )
})

test('no text makes the check throw, and what it accepts is judged again the same way', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.webUrl(),
    fc.string().map((each) => `https://${each}`),
  )
  fc.assert(
    fc.property(text, (each) => {
      const result = check(each, insecure)
      if (result.ok) assert.deepEqual(accepted(result.target.href, insecure), result.target)
    }),
    { numRuns: 800 },
  )
})

test('the hostile URLs of the corpus are refused for their address, not only for their scheme', () => {
  const entries = corpus('ssrf-bypass-urls.json')
  let refused = 0
  for (const { input, expect, binding, whatwg } of entries) {
    const text = String(input)
    for (const policy of [strict, insecure]) {
      const result = check(text, policy)
      if (binding === true) assert.ok(!result.ok, text)
      if (String(expect).startsWith('not refused')) assert.ok(result.ok, text)
      if (result.ok) assert.equal(result.target.host, hostOf(whatwg), text)
    }
    if (binding === true) refused += 1
  }
  assert.ok(refused >= 45)
})

test('the host that is judged is the host of the WHATWG parse', () => {
  const entries = corpus('whatwg-urltestdata.json').filter(({ base }) => base === null || base === undefined)
  let compared = 0
  for (const entry of entries) {
    const result = check(String(entry.input), insecure)
    if (entry.failure === true) assert.ok(!result.ok, String(entry.input))
    if (!result.ok) continue
    assert.equal(result.target.host, hostOf(entry), String(entry.input))
    compared += 1
  }
  assert.ok(compared >= 5, `only ${compared} were accepted and compared`)
})

const hostOf = (parsed: unknown): string => {
  assert.ok(typeof parsed === 'object' && parsed !== null && 'hostname' in parsed)
  return String(parsed.hostname).replace(/^\[|\]$|\.$/g, '')
}
