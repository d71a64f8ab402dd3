import type { EgressPolicy } from './policy.ts'

// No public host has a name in these special-use and local zones.
const localZones = ['localhost', 'local', 'internal', 'lan', 'home.arpa', 'test', 'example', 'invalid']

// Names of machine metadata and cluster control, which stay closed in development, too.
const controlNames = [
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'instance-data',
  'instance-data.ec2.internal',
]
const controlZones = ['kubernetes.default']

const label = /^[a-z0-9_-]{1,63}$/

const isWithin = (name: string, zone: string): boolean => name === zone || name.endsWith(`.${zone}`)

type NameFault = 'malformed' | 'refused' | 'local'

/** Checks a host name as the URL parser writes it (lower case, punycode), without its trailing dot. */
export function faultOfName(name: string, policy: EgressPolicy): NameFault | null {
  const labels = name.split('.')
  if (name.length > 253 || !labels.every((part) => label.test(part))) return 'malformed'
  if (controlNames.includes(name) || controlZones.some((zone) => name === zone || name.startsWith(`${zone}.`)))
    return 'refused'
  if (policy.refuseNames?.some((zone) => isWithin(name, zone.toLowerCase()))) return 'refused'
  if (policy.allowPrivateNetwork || policy.allowedPrivate?.hasName(name) === true) return null
  if (labels.length === 1 || localZones.some((zone) => isWithin(name, zone))) return 'local'
  return null
}
