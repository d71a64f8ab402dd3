import type { EnvironmentName } from '../setting.ts'
import { serverUrls } from '../shapes.ts'

const THIS_MACHINE = ['', 'localhost', '127.0.0.1', '[::1]']

/** The advice for an address to which data travels unencrypted in Production. There is none for a server on this machine. */
export const advisePlain =
  (isEncrypted: (url: URL) => boolean, remedy: string) =>
  (address: string | undefined, environment: EnvironmentName): string | undefined => {
    if (address === undefined || environment !== 'Production') return undefined
    const url = serverUrls(address)
      .map((one) => new URL(one))
      .find((one) => !THIS_MACHINE.includes(one.hostname) && !isEncrypted(one))
    if (url === undefined) return undefined
    return `The password and all data travel unencrypted to ${url.host}. ${remedy} unless it is on a network of your own.`
  }
