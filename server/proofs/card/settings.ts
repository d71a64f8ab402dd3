import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { CALM_LEASE_S, CALM_TIMEOUT_S, STORM_LEASE_S, STORM_TIMEOUT_S } from './form.ts'

/** What is compiled once need not be again: half of the work of every start. */
export const compiled = (directory: string): Readonly<Record<string, string>> => ({
  NODE_COMPILE_CACHE: join(directory, 'compiled'),
})

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
  ...waiting(CALM_TIMEOUT_S, CALM_LEASE_S),
  'AI:Approvals:Expiry:Elevated': '00:00:04',
  'AI:Approvals:ExpirySweep:IntervalSeconds': '1',
  'Log:Level': 'error',
}

export const STORMY: Readonly<Record<string, string>> = waiting(STORM_TIMEOUT_S, STORM_LEASE_S)

export function waiting(timeoutSeconds: number, leaseSeconds: number): Readonly<Record<string, string>> {
  return {
    'ToolTransport:TimeoutSeconds': String(timeoutSeconds),
    'AI:Approvals:ExecutionLeaseSeconds': String(leaseSeconds),
  }
}
