// The forms of values. Every shape reads both the text of an environment variable and the value in a JSON file.
import { domainToASCII } from 'node:url'
import { z } from 'zod'
import { type SettingShape, shape } from './setting.ts'

export const HIDDEN = '(hidden)'

const hidden = (value: string): string => (value === '' ? '' : HIDDEN)

const trimmed = z.string().trim()

/** Reads a number as digits. JSON has numbers and a variable has text, but both accept only one spelling. */
export const digits = (spelling: RegExp) =>
  z.union([trimmed, z.number().transform(String)]).pipe(z.string().regex(spelling))

const numberShape = (words: string, spelling: RegExp, min: number, max: number): SettingShape<number> =>
  shape(`${words} from ${min} to ${max}`, digits(spelling).transform(Number).pipe(z.number().min(min).max(max)))

/** A whole number between two bounds, both included. */
export const wholeNumber = (min: number, max: number): SettingShape<number> =>
  numberShape('a whole number', /^-?\d{1,15}$/, min, max)

/** A number that may have a fraction, such as seconds, minutes, hours or money. */
export const decimalNumber = (min: number, max: number): SettingShape<number> =>
  numberShape('a number', /^-?\d{1,15}(\.\d{1,9})?$/, min, max)

// Most settings are numbers or flags with a default.
export const whole = (min: number, max: number, byDefault: number) => wholeNumber(min, max).default(byDefault)
export const decimal = (min: number, max: number, byDefault: number) => decimalNumber(min, max).default(byDefault)

export const trueOrFalse: SettingShape<boolean> = shape(
  'true or false',
  z.union([z.boolean(), trimmed.pipe(z.stringbool({ truthy: ['true'], falsy: ['false'] }))]),
)

export const flag = (byDefault: boolean) => trueOrFalse.default(byDefault)

export const oneOf = <const Word extends string>(...words: readonly Word[]): SettingShape<Word> =>
  shape(
    `one of ${words.join(', ')}`,
    trimmed
      .transform((given) => words.find((word) => word.toLowerCase() === given.toLowerCase()) ?? given)
      .pipe(z.literal(words)),
  )

export type TextRules = {
  readonly min?: number
  readonly max?: number
  readonly secret?: boolean
  readonly of?: string
}

export function text({ min = 0, max = 2048, secret = false, of = 'a text' }: TextRules = {}): SettingShape<string> {
  const length = min > 0 ? `${min} to ${max}` : `at most ${max}`
  const words = `${of} of ${length} characters`
  return shape(words, trimmed.min(min).max(max), secret ? { secret, show: hidden } : {})
}

/** Reads `hh:mm:ss` into milliseconds. Hours may exceed 24. */
export const duration: SettingShape<number> = shape(
  'a duration hh:mm:ss',
  trimmed
    .regex(/^\d{1,4}:[0-5]\d:[0-5]\d$/)
    .transform((written) => written.split(':').reduce((sum, part) => sum * 60 + Number(part), 0) * 1000),
  {
    show(value) {
      const two = (count: number) => String(Math.floor(count)).padStart(2, '0')
      return `${two(value / 3_600_000)}:${two((value / 60_000) % 60)}:${two((value / 1000) % 60)}`
    },
  },
)

/** A JSON array, or one text with commas. */
export const listOf = <Value>(
  { type, secret, show }: SettingShape<Value>,
  plural: string,
): SettingShape<readonly Value[]> =>
  shape(
    `a comma-separated list of ${plural}`,
    z
      .union([
        z.array(z.unknown()),
        z.string().transform((list) => list.split(',').filter((part) => part.trim() !== '')),
      ])
      .pipe(z.array(type))
      .readonly(),
    { secret, show: (values) => values.map(show).join(', ') },
  )

export const keyOf32Bytes: SettingShape<string> = shape(
  'a base64 text of exactly 32 bytes',
  trimmed.refine((key) => {
    const bytes = Buffer.from(key, 'base64')
    return bytes.length === 32 && bytes.toString('base64') === key
  }),
  { secret: true, show: hidden },
)

/** An absolute address. Each shape decides what else it may contain. */
const address = (...schemes: readonly string[]) =>
  trimmed
    .transform((written) => URL.parse(written))
    .pipe(z.instanceof(URL))
    .refine(({ protocol }) => schemes.includes(protocol))

const hasNoCredentials = ({ username, password }: URL): boolean => username === '' && password === ''

/**
 * The address at which people reach the service, without credentials, query or fragment. We remove a trailing slash.
 */
export const publicUrl: SettingShape<string> = shape(
  'an absolute http or https address without credentials, query or fragment',
  address('https:', 'http:')
    .refine((url) => hasNoCredentials(url) && url.search === '' && url.hash === '')
    .transform(({ origin, pathname }) => `${origin}${pathname}`.replace(/\/+$/, '')),
)

/** An address that may carry a password, which is never shown. */
export const connectionUrl = (...schemes: readonly string[]): SettingShape<string> =>
  shape(
    `an address that starts with ${beginnings(schemes)}`,
    trimmed.refine((written) => address(...schemes).safeParse(written).success),
    { secret: true, show: withoutPassword },
  )

/** The same, of one server or of several that take over from each other: their hosts with commas between them. */
export const serversUrl = (...schemes: readonly string[]): SettingShape<string> =>
  shape(
    `an address that starts with ${beginnings(schemes)}, of one host or of several with commas between them`,
    trimmed.refine((written) => isServersUrl(written, schemes)),
    {
      secret: true,
      show(value) {
        const urls = serverUrls(value)
        const hosts = urls.map((url) => new URL(url).host).join(',')
        return urls
          .slice(0, 1)
          .map((url) => withoutPassword(url).replace(new URL(url).host, () => hosts))
          .join('')
      },
    },
  )

const isServersUrl = (written: string, schemes: readonly string[]): boolean =>
  serverUrls(written).every((url) => address(...schemes).safeParse(url).success)

const AUTHORITY = /^([a-z]+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/i

/** An address for each of its hosts. */
export function serverUrls(url: string): readonly [string, ...string[]] {
  const [, before = '', hosts = '', after = ''] = AUTHORITY.exec(url) ?? [url, url]
  const [first = '', ...others] = hosts.split(',').map((host) => `${before}${host.trim()}${after}`)
  return [first, ...others]
}

const beginnings = (schemes: readonly string[]): string => schemes.map((scheme) => `${scheme}//`).join(' or ')

function withoutPassword(url: string): string {
  const { protocol, username, password, host, pathname } = new URL(url)
  const who = username || password ? `${username}${password ? ':***' : ''}@` : ''
  return `${protocol}//${who}${host}${pathname}`
}

const NETWORK = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])

/** One address, or a range in CIDR form. */
export const network: SettingShape<string> = shape('an IP address or a range such as 10.0.0.0/8', trimmed.pipe(NETWORK))

const HOST = /^(?=.{1,253}$)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/
// The URL parser reads such a name as an IPv4 address.
const NUMERIC_END = /(^|\.)(\d+|0x[0-9a-f]*)$/

/**
 * A host name, or an address or a range within the private networks. A wider range would open addresses that are not the
 * operator's own, such as the secrets of a cloud machine.
 */
export const privatePlace: SettingShape<string> = shape(
  'a host name, or a private address or range such as 10.20.0.0/16',
  trimmed.toLowerCase().pipe(
    z.union([
      NETWORK.refine(isPrivate),
      z
        .string()
        .regex(/^[^\s@/:?#\\]+$/)
        .transform(domainToASCII)
        .pipe(z.string().regex(HOST))
        .refine((name) => !NUMERIC_END.test(name)),
    ]),
  ),
)

const PRIVATE_IPV4 = [
  [[10], 8],
  [[127], 8],
  [[192, 168], 16],
] as const

function isPrivate(place: string): boolean {
  const [address = '', prefix] = place.split('/')
  if (address.includes(':'))
    return address === '::1' ? prefix === undefined || prefix === '128' : isUniqueLocal(address, prefix)
  const bytes = address.split('.').map(Number)
  const [first = 0, second = 0] = bytes
  const bits = Number(prefix ?? 32)
  if (first === 172 && second >= 16 && second < 32) return bits >= 12
  if (first === 100 && second >= 64 && second < 128) return bits >= 10
  return PRIVATE_IPV4.some(([start, least]) => bits >= least && start.every((byte, index) => byte === bytes[index]))
}

const isUniqueLocal = (address: string, prefix = '128'): boolean =>
  /^f[cd][0-9a-f]{2}:/.test(address) && Number(prefix) >= 7

const orEmpty = (type: z.ZodType<string, string>) => trimmed.pipe(z.union([z.literal(''), type]))

// A mail header is one line, so a setting of mail must contain nothing that could end it or begin another part of it.
const ADDRESS = /^[^\s@<>(),;:"\\\p{Cc}]{1,64}@[^\s@<>(),;:"\\\p{Cc}]{1,255}$/u

/** One e-mail address, or nothing. */
export const emailAddress: SettingShape<string> = shape(
  'an e-mail address such as ops@example.com',
  orEmpty(z.string().regex(ADDRESS)),
)

/** A sender: an address, or `Name <address>`. */
export const mailbox: SettingShape<string> = shape(
  'a sender such as Tether <no-reply@example.com>',
  orEmpty(
    z
      .string()
      .max(320)
      .regex(/^\P{Cc}*$/u)
      .refine((sender) => ADDRESS.test(/^"?[^<>"]*?"?\s*<([^<>]+)>$/.exec(sender)?.[1] ?? sender)),
  ),
)

/** A domain in its DNS form. A name in other letters becomes punycode, because that is how addresses are compared. */
export const domain: SettingShape<string> = shape(
  'a domain such as example.com',
  trimmed
    .toLowerCase()
    .max(253)
    .regex(/^[^\s@/:.]+(\.[^\s@/:.]+)*$/)
    .transform((name) => domainToASCII(name))
    .pipe(z.string().min(1)),
)

const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/**
 * A page that mailed links open. It is https, or http on this machine, and ends with the path, because the token
 * follows it.
 */
export const pageAddress: SettingShape<string> = shape(
  'an https address (or http on loopback) without credentials, query or fragment',
  orEmpty(
    z
      .string()
      .regex(/^[^?#]*$/)
      .pipe(address('https:', 'http:'))
      .refine((url) => hasNoCredentials(url) && (url.protocol === 'https:' || LOOPBACK_HOST.test(url.hostname)))
      .transform(({ href }) => href),
  ),
)
