// What a value may look like. Every shape reads what an environment variable gives (text) and what a JSON file gives.
import { domainToASCII } from 'node:url'
import { z } from 'zod'

export type Shape<Value> = {
  readonly type: z.ZodType<Value>
  /** Ends the sentence "… is expected", so it starts with an article. */
  readonly expects: string
  /** A secret is never shown, neither when it is right nor when it is wrong. */
  readonly secret: boolean
  /** The names below the setting's own are its rows. */
  readonly isTable?: true
  show(value: Value): string
}

export const HIDDEN = '(hidden)'

const hidden = (value: string): string => (value === '' ? '' : HIDDEN)

function shape<Value>(
  expects: string,
  type: z.ZodType<Value>,
  { show = String, ...more }: Partial<Pick<Shape<Value>, 'secret' | 'show'>> = {},
): Shape<Value> {
  return { expects, type, secret: false, show, ...more }
}

const trimmed = z.string().trim()

/** A number as digits: JSON has numbers, a variable has text, and only one spelling of either is taken. */
export const digits = (spelling: RegExp) =>
  z.union([trimmed, z.number().transform(String)]).pipe(z.string().regex(spelling))

const numberShape = (words: string, spelling: RegExp, min: number, max: number): Shape<number> =>
  shape(`${words} from ${min} to ${max}`, digits(spelling).transform(Number).pipe(z.number().min(min).max(max)))

/** A whole number, both ends included. */
export const whole = (min: number, max: number): Shape<number> =>
  numberShape('a whole number', /^-?\d{1,15}$/, min, max)

/** A number that may have a fraction: minutes, hours, seconds, money. */
export const decimal = (min: number, max: number): Shape<number> =>
  numberShape('a number', /^-?\d{1,15}(\.\d{1,9})?$/, min, max)

export const flag: Shape<boolean> = shape(
  'true or false',
  z.union([z.boolean(), trimmed.pipe(z.stringbool({ truthy: ['true'], falsy: ['false'] }))]),
)

export const oneOf = <const Word extends string>(...words: readonly Word[]): Shape<Word> =>
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

export function text({ min = 0, max = 2048, secret = false, of = 'a text' }: TextRules = {}): Shape<string> {
  const length = min > 0 ? `${min} to ${max}` : `at most ${max}`
  const words = `${of} of ${length} characters`
  return shape(words, trimmed.min(min).max(max), secret ? { secret, show: hidden } : {})
}

/** `hh:mm:ss`, as milliseconds; hours may pass 24. */
export const duration: Shape<number> = shape(
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
export const listOf = <Value>({ type, secret, show }: Shape<Value>, plural: string): Shape<readonly Value[]> =>
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

export const keyOf32Bytes: Shape<string> = shape(
  'a base64 text of exactly 32 bytes',
  trimmed.refine((key) => {
    const bytes = Buffer.from(key, 'base64')
    return bytes.length === 32 && bytes.toString('base64') === key
  }),
  { secret: true, show: hidden },
)

/** An absolute address; what else may stand in it is for each shape to say. */
const address = (...schemes: readonly string[]) =>
  trimmed
    .transform((written) => URL.parse(written))
    .pipe(z.instanceof(URL))
    .refine(({ protocol }) => schemes.includes(protocol))

const hasNoCredentials = ({ username, password }: URL): boolean => username === '' && password === ''

/** Where people reach the service: no credentials, query or fragment; kept without a trailing slash. */
export const publicUrl: Shape<string> = shape(
  'an absolute http or https address without credentials, query or fragment',
  address('https:', 'http:')
    .refine((url) => hasNoCredentials(url) && url.search === '' && url.hash === '')
    .transform(({ origin, pathname }) => `${origin}${pathname}`.replace(/\/+$/, '')),
)

/** An address that may carry a password, which is never shown. */
export const connectionUrl = (...schemes: readonly string[]): Shape<string> =>
  shape(
    `an address that starts with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`,
    trimmed.refine((written) => address(...schemes).safeParse(written).success),
    {
      secret: true,
      show(value) {
        const { protocol, username, password, host, pathname } = new URL(value)
        const who = username || password ? `${username}${password ? ':***' : ''}@` : ''
        return `${protocol}//${who}${host}${pathname}`
      },
    },
  )

/** One address, or a range in CIDR form. */
export const network: Shape<string> = shape(
  'an IP address or a range such as 10.0.0.0/8',
  trimmed.pipe(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])),
)

const orEmpty = (type: z.ZodType<string, string>) => trimmed.pipe(z.union([z.literal(''), type]))

// A mail header is a line: nothing that could end it, or open another part of it, belongs in a setting of mail.
const ADDRESS = /^[^\s@<>(),;:"\\\p{Cc}]{1,64}@[^\s@<>(),;:"\\\p{Cc}]{1,255}$/u

/** One e-mail address, or nothing. */
export const emailAddress: Shape<string> = shape(
  'an e-mail address such as ops@example.com',
  orEmpty(z.string().regex(ADDRESS)),
)

/** A sender: an address, or `Name <address>`. */
export const mailbox: Shape<string> = shape(
  'a sender such as Tether <no-reply@example.com>',
  orEmpty(
    z
      .string()
      .max(320)
      .regex(/^\P{Cc}*$/u)
      .refine((sender) => ADDRESS.test(/^"?[^<>"]*?"?\s*<([^<>]+)>$/.exec(sender)?.[1] ?? sender)),
  ),
)

/** As the DNS knows it: a name in other letters becomes its punycode, which is how an address is compared. */
export const domain: Shape<string> = shape(
  'a domain such as example.com',
  trimmed
    .toLowerCase()
    .max(253)
    .regex(/^[^\s@/:.]+(\.[^\s@/:.]+)*$/)
    .transform((name) => domainToASCII(name))
    .pipe(z.string().min(1)),
)

const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** A page that mailed links open: https, or http on this machine; nothing behind the path, because the token goes there. */
export const pageAddress: Shape<string> = shape(
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
