// What a page of ours shows of a sandbox, beyond the status that the interface tells.
import type { SandboxStatus } from '@tether/contract'
import type { House } from '../../../tenancy/context/index.ts'
import { sandboxLimits } from '../crawls.ts'
import * as sql from './queries.ts'
import { statusOf } from './status.ts'

export type ShownSandbox = {
  readonly status: SandboxStatus
  readonly site: string
  readonly hasLogo: boolean
  readonly progress: {
    readonly bytes: number
    readonly mostBytes: number
    readonly mostPages: number
    readonly refused: number
    readonly seconds: number
    readonly mostSeconds: number
  }
}

/** Null for one that is gone. */
export async function sandboxShown(
  house: Pick<House, 'db' | 'settings'>,
  tenantId: number,
): Promise<ShownSandbox | null> {
  const row = await house.db.one(sql.readSandbox, { tenantId })
  if (row === undefined) return null
  const { pages, totalBytes, timeoutMs } = sandboxLimits(house.settings)
  const mostSeconds = timeoutMs / 1000
  return {
    status: statusOf(house.settings, row),
    site: row.site,
    hasLogo: row.logoType !== null && !row.isOver,
    progress: {
      bytes: row.bytesRead,
      mostBytes: totalBytes,
      mostPages: pages,
      refused: row.pagesRefused,
      seconds: Math.min(Math.floor(row.seconds), Math.ceil(mostSeconds)),
      mostSeconds,
    },
  }
}

export const sandboxLogo = ({ db }: Pick<House, 'db'>, tenantId: number) => db.one(sql.readLogo, { tenantId })
