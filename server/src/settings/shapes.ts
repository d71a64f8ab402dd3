// What a value may look like. Every shape reads what an environment variable gives (text) and what a JSON file gives.
import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'

export type Shape<Value> = {
  /** Ends the sentence "… is expected", so it starts with an article. */
  readonly expects: string
  /** A secret is never shown, neither when it is right nor when it is wrong. */
  readonly secret: boolean
  /** The names below the setting's own are its rows. */
  readonly isTable?: true
  /** The value, or undefined when the raw one does not fit. */
  read(raw: unknown): { readonly value: Value } | undefined
  show(value: Value): string
}

export const HIDDEN = '(hidden)'

const trimmed = (raw: unknown): string | undefined => (typeof raw === 'string' ? raw.trim() : undefined)

function numeric(raw: unknown, pattern: RegExp): number | undefined {
  if (typeof raw === 'number') return Number.isFinite(raw) && pattern.test(String(raw)) ? raw : undefined
  const text = trimmed(raw)
  return text !== undefined && pattern.test(text) ? Number(text) : undefined
}

function numberShape(words: string, pattern: RegExp, min: number, max: number): Shape<number> {
  return {
    expects: `${words} from ${min} to ${max}`,
    secret: false,
    read(raw) {
      const value = numeric(raw, pattern)
      return value === undefined || value < min || value > max ? undefined : { value }
    },
    show: String,
  }
}

/** A whole number, both ends included. */
export const whole = (min: number, max: number): Shape<number> =>
  numberShape('a whole number', /^-?\d{1,15}$/, min, max)

/** A number that may have a fraction: minutes, hours, seconds, money. */
export const decimal = (min: number, max: number): Shape<number> =>
  numberShape('a number', /^-?\d{1,15}(\.\d{1,9})?$/, min, max)

export const flag: Shape<boolean> = {
  expects: 'true or false',
  secret: false,
  read(raw) {
    const word = typeof raw === 'boolean' ? String(raw) : trimmed(raw)?.toLowerCase()
    return word === 'true' || word === 'false' ? { value: word === 'true' } : undefined
  },
  show: String,
}

export function oneOf<const Word extends string>(...words: readonly Word[]): Shape<Word> {
  return {
    expects: `one of ${words.join(', ')}`,
    secret: false,
    read(raw) {
      const given = trimmed(raw)?.toLowerCase()
      const value = words.find((word) => word.toLowerCase() === given)
      return value === undefined ? undefined : { value }
    },
    show: String,
  }
}

export type TextRules = {
  readonly min?: number
  readonly max?: number
  readonly secret?: boolean
  readonly of?: string
}

export function text({ min = 0, max = 2048, secret = false, of = 'a text' }: TextRules = {}): Shape<string> {
  const length = min > 0 ? `${min} to ${max}` : `at most ${max}`
  return {
    expects: `${of} of ${length} characters`,
    secret,
    read(raw) {
      const value = trimmed(raw)
      return value === undefined || value.length < min || value.length > max ? undefined : { value }
    },
    show: (value) => (secret ? hidden(value) : value),
  }
}

/** `hh:mm:ss`, as milliseconds; hours may pass 24. */
export const duration: Shape<number> = {
  expects: 'a duration hh:mm:ss',
  secret: false,
  read(raw) {
    const parts = /^(\d{1,4}):([0-5]\d):([0-5]\d)$/.exec(trimmed(raw) ?? '')
    if (!parts) return undefined
    const [hours = 0, minutes = 0, seconds = 0] = parts.slice(1).map(Number)
    return { value: ((hours * 60 + minutes) * 60 + seconds) * 1000 }
  },
  show(value) {
    const two = (count: number) => String(Math.floor(count)).padStart(2, '0')
    return `${two(value / 3_600_000)}:${two((value / 60_000) % 60)}:${two((value / 1000) % 60)}`
  },
}

/** A JSON array, or one text with commas. */
export function listOf<Value>(item: Shape<Value>, plural: string): Shape<readonly Value[]> {
  return {
    expects: `a comma-separated list of ${plural}`,
    secret: item.secret,
    read(raw) {
      const parts = Array.isArray(raw)
        ? raw
        : trimmed(raw)
            ?.split(',')
            .filter((part) => part.trim() !== '')
      if (parts === undefined) return undefined
      const read = parts.map((part) => item.read(part))
      const value = read.flatMap((one) => (one === undefined ? [] : [one.value]))
      return value.length === read.length ? { value: Object.freeze(value) } : undefined
    },
    show: (value) => value.map((one) => item.show(one)).join(', '),
  }
}

export const keyOf32Bytes: Shape<string> = {
  expects: 'a base64 text of exactly 32 bytes',
  secret: true,
  read(raw) {
    const value = trimmed(raw)
    if (value === undefined) return undefined
    const bytes = Buffer.from(value, 'base64')
    return bytes.length === 32 && bytes.toString('base64') === value ? { value } : undefined
  },
  show: hidden,
}

/** Where people reach the service: no credentials, query or fragment; kept without a trailing slash. */
export const publicUrl: Shape<string> = {
  expects: 'an absolute http or https address without credentials, query or fragment',
  secret: false,
  read(raw) {
    const url = parseUrl(raw, ['https:', 'http:'])
    if (!url || url.username || url.password || url.search || url.hash) return undefined
    return { value: `${url.origin}${url.pathname}`.replace(/\/+$/, '') }
  },
  show: String,
}

/** An address that may carry a password, which is never shown. */
export function connectionUrl(...schemes: readonly string[]): Shape<string> {
  return {
    expects: `an address that starts with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`,
    secret: true,
    read(raw) {
      return parseUrl(raw, schemes) ? { value: String(raw).trim() } : undefined
    },
    show(value) {
      const url = new URL(value)
      const who = url.username || url.password ? `${url.username}${url.password ? ':***' : ''}@` : ''
      return `${url.protocol}//${who}${url.host}${url.pathname}`
    },
  }
}

/** One address, or a range in CIDR form. */
export const network: Shape<string> = {
  expects: 'an IP address or a range such as 10.0.0.0/8',
  secret: false,
  read(raw) {
    const value = trimmed(raw) ?? ''
    const [address = '', bits, ...rest] = value.split('/')
    const family = isIP(address)
    if (family === 0 || rest.length > 0) return undefined
    const fits = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
    return fits ? { value } : undefined
  },
  show: String,
}

// A mail header is a line: nothing that could end it, or open another part of it, belongs in a setting of mail.
const ADDRESS = /^[^\s@<>(),;:"\\\p{Cc}]{1,64}@[^\s@<>(),;:"\\\p{Cc}]{1,255}$/u

/** One e-mail address, or nothing. */
export const emailAddress: Shape<string> = {
  expects: 'an e-mail address such as ops@example.com',
  secret: false,
  read(raw) {
    const value = trimmed(raw)
    return value === '' || (value !== undefined && ADDRESS.test(value)) ? { value } : undefined
  },
  show: String,
}

/** A sender: an address, or `Name <address>`. */
export const mailbox: Shape<string> = {
  expects: 'a sender such as Tether <no-reply@example.com>',
  secret: false,
  read(raw) {
    const value = trimmed(raw)
    if (value === undefined || value.length > 320 || /\p{Cc}/u.test(value)) return undefined
    const address = /^"?([^<>"]*?)"?\s*<([^<>]+)>$/.exec(value)?.[2] ?? value
    return value === '' || ADDRESS.test(address) ? { value } : undefined
  },
  show: String,
}

/** As the DNS knows it: a name in other letters becomes its punycode, which is how an address is compared. */
export const domain: Shape<string> = {
  expects: 'a domain such as example.com',
  secret: false,
  read(raw) {
    const value = trimmed(raw)?.toLowerCase()
    const fits = value !== undefined && value.length <= 253 && /^[^\s@/:.]+(\.[^\s@/:.]+)*$/.test(value)
    const known = fits ? domainToASCII(value) : ''
    return known === '' ? undefined : { value: known }
  },
  show: String,
}

const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** A page that mailed links open: https, or http on this machine; nothing behind the path, because the token goes there. */
export const pageAddress: Shape<string> = {
  expects: 'an https address (or http on loopback) without credentials, query or fragment',
  secret: false,
  read(raw) {
    if (trimmed(raw) === '') return { value: '' }
    const url = parseUrl(raw, ['https:', 'http:'])
    if (!url || url.username || url.password || /[?#]/.test(String(raw))) return undefined
    return url.protocol === 'https:' || LOOPBACK_HOST.test(url.hostname) ? { value: url.href } : undefined
  },
  show: String,
}

function parseUrl(raw: unknown, schemes: readonly string[]): URL | undefined {
  const value = trimmed(raw)
  const url = value === undefined ? null : URL.parse(value)
  return url && schemes.includes(url.protocol) ? url : undefined
}

function hidden(value: string): string {
  return value === '' ? '' : HIDDEN
}
