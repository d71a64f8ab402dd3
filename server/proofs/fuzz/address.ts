// The address of a request: an operation's path with its parameters filled in, well or badly.
import type { Operation, Parameter } from '../rig/reference.ts'
import type { Workspace } from './cast.ts'
import { namesFor } from './harvest.ts'
import { oddNumber, oddText } from './oddities.ts'
import type { Random } from './random.ts'
import { type Maker, valueFor } from './values.ts'

/** As it stands in the request line; only what `isSendable` holds for is HTTP. */
export function addressOf(maker: Maker, operation: Operation, { steps }: Workspace, breaks: boolean): string {
  const { random } = maker
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = operation.parameters.find((one) => one.in === 'path' && one.name === name)
    if (breaks && random.chance(0.6)) return oddStep(random)
    const own = steps[name]
    return own !== undefined && random.chance(0.5) ? encode(own) : pathStep(maker, operation, name, parameter)
  })
  const query = queryOf(maker, operation, breaks)
  const address = query === '' ? path : `${path}?${query}`
  return breaks && random.chance(0.15) ? random.pick(ODD_ADDRESSES)(address) : address
}

/** What a request line may hold; a server may hang up on anything else. */
export const isSendable = (address: string): boolean => /^[/*][!-~]*$/.test(address) && address.length < 8000

function pathStep(maker: Maker, { path }: Operation, name: string, parameter: Parameter | undefined): string {
  const { random, harvest } = maker
  const known = random.pick(namesFor(name, path).map((one) => harvest.pick(one, random) ?? ''))
  if (known !== '' && random.chance(0.7)) return encode(String(known))
  if (parameter?.example !== undefined && random.chance(0.5)) return encode(parameter.example)
  return encode(plain(maker, parameter, name)) || 'x'
}

const ODD_STEPS = [
  '%',
  '%z',
  '%zz',
  '%00',
  '%2500',
  '%C0%80',
  '%ED%A0%80',
  '%F0%9F%92%A9',
  '%2F',
  '%2f..%2f',
  '%5C',
  '..',
  '.',
  '%2e%2e',
  '*',
  ':id',
  '{id}',
  ';a=b',
  '@',
  '-',
  '%20',
  '+',
  '%0d%0aX-Evil:%201',
  '__proto__',
  'constructor',
  '\u00e9',
  '\u00ff\u00fe',
] // every kind of escape

function oddStep(random: Random): string {
  const kind = random.weighted({ step: 4, text: 3, number: 3, long: 1 })
  if (kind === 'step') return random.pick(ODD_STEPS)
  if (kind === 'number') return encode(oddNumber(random))
  if (kind === 'long') return 'a'.repeat(random.pick([255, 256, 257, 5000]))
  return encode(oddText(random).slice(0, 500)) || '%20'
}

function queryOf(maker: Maker, { parameters }: Operation, breaks: boolean): string {
  const { random } = maker
  const declared = parameters
    .filter((one) => one.in === 'query' && random.chance(0.6))
    .map(
      (one) =>
        `${one.name}=${breaks && random.chance(0.6) ? oddQueryValue(random) : encode(plain(maker, one, one.name))}`,
    )
  const extra = breaks && random.chance(0.4) ? [random.pick(ODD_QUERIES)(declared.join('&'))] : []
  return [...declared, ...extra].join('&')
}

const oddQueryValue = (random: Random): string =>
  random.chance(0.4)
    ? random
        .pick([
          '',
          '%',
          '%zz',
          '%00',
          '%C0%80',
          '+1',
          '0x10',
          '1e3',
          ' 1'.trim(),
          '%201',
          '1,2',
          '[]',
          '{}',
          'null',
          '-0',
          '٣',
        ])
        .replace(/[^ -~]/g, encodeURIComponent)
    : encode(random.chance(0.5) ? oddNumber(random) : oddText(random).slice(0, 500))

const ODD_QUERIES: readonly ((declared: string) => string)[] = [
  () => '',
  () => '&&&&',
  () => '=',
  () => '?',
  () => '__proto__=1&constructor=2',
  () => '__proto__[a]=1',
  () => 'a[b][c]=d&a[]=1&a[]=2',
  () => 'limit=1&limit=2&limit=3',
  () => 'limit[]=1',
  () => 'limit=',
  () => 'limit',
  () => '%=%&%zz=%00',
  () => '%00=1',
  (declared) => `${declared}&${declared}`,
  () => Array.from({ length: 800 }, (_, place) => `p${place}=1`).join('&'),
  () => 'x='.concat('y'.repeat(6000)),
  () => 'a=b#fragment',
  () => '\u00e9=\u00ff',
]

const ODD_ADDRESSES: readonly ((address: string) => string)[] = [
  (address) => `/${address}`,
  (address) => `${address}/`,
  (address) => address.replaceAll('/', '//'),
  (address) => address.toUpperCase(),
  (address) => `http://127.0.0.1${address}`,
  (address) => `http://other.example${address}`,
  (address) => `${address}#fragment`,
  (address) => address.replace('/v1/', '/v1/./'),
  (address) => address.replace('/v1/', '/v1/../v1/'),
  (address) => address.replace('/v1/', '/v1/%2e%2e/v1/'),
  (address) => address.replaceAll('/', '%2F'),
  (address) => address.replaceAll('/', '\\'),
  (address) => `${address}\u00a0`,
  (address) => address.slice(1),
  () => '*',
  () => '/',
  () => '//',
  () => '/v1/',
  () => '/v2/account',
  () => `/v1/${'a/'.repeat(1000)}`,
  () => '/health/../v1/account',
  () => '/__proto__',
]

function plain(maker: Maker, parameter: Parameter | undefined, name: string): string {
  if (parameter === undefined) return 'x'
  const made = valueFor(maker, parameter.schema, name)
  const value: unknown = made.kind === 'text' ? JSON.parse(made.text) : 'x'
  return String(value).slice(0, 500)
}

/** Percent-encoded as UTF-8; a lone surrogate has no UTF-8 and becomes what every browser makes of it. */
const encode = (text: string): string => encodeURIComponent(text.toWellFormed())
