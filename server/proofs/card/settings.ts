import { randomBytes } from 'node:crypto'
import { LEASE_S } from './form.ts'

export const operatorKey = `operator-${randomBytes(24).toString('hex')}`

/** All processes of one database share the secrets; the waits are short, so that a proof need not be long. */
export const SETTINGS: Readonly<Record<string, string>> = {
  'Operator:ApiKey': operatorKey,
  'Encryption:Key': randomBytes(32).toString('base64'),
  'Signup:IpHashSalt': randomBytes(24).toString('hex'),
  'Database:PoolSize': '6',
  'RateLimit:ControlPerMinute': '1000000',
  'RateLimit:RuntimePerMinute': '1000000',
  'RateLimit:AnonymousPerMinute': '1000000',
  'ToolTransport:AllowInsecureEndpoint': 'true',
  'ToolTransport:AllowPrivateNetworkEndpoint': 'true',
  'ToolTransport:TimeoutSeconds': '0.5',
  'AI:Approvals:ExecutionLeaseSeconds': String(LEASE_S),
  'AI:Approvals:Expiry:Elevated': '00:00:02',
  'AI:Approvals:ExpirySweep:IntervalSeconds': '1',
  'Log:Level': 'error',
}
