import { onOneLine } from '../../kernel/text/index.ts'
import type { EndpointClaim } from '../../tools/calls/index.ts'

// What a business has written out of its table of claims, as a spreadsheet would read it:
//   \copy (select request_id, tenant_id, tool, status, claimed_at from tether_claims) to 'claims.csv' csv header

export class ClaimsUnreadable extends Error {
  override readonly name = 'ClaimsUnreadable'
}

const CELL = /(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/y

/** @throws ClaimsUnreadable, with the line and what it lacks. Claims of events, of other workspaces and of before are left out. */
export function readClaims(text: string, { tenantId, since }: { tenantId: number; since: Date }): EndpointClaim[] {
  const [head = '', ...lines] = text.replace(/^\ufeff/, '').split(/\r?\n/)
  const names = cellsOf(head) ?? []
  for (const name of ['request_id', 'status', 'claimed_at'])
    if (!names.includes(name)) throw new ClaimsUnreadable(`Its first line must name its columns, "${name}" among them.`)
  return lines.flatMap((line, place) => {
    if (line === '') return []
    const cells = cellsOf(line)
    const row = Object.fromEntries(names.map((name, at) => [name, cells?.[at] ?? '']))
    const claim = cells?.length === names.length ? claimOf(row) : undefined
    if (claim === undefined)
      throw new ClaimsUnreadable(`Line ${place + 2} is no claim: ${onOneLine(line.slice(0, 200))}`)
    const isOurs = [undefined, '', String(tenantId)].includes(row.tenant_id)
    return isOurs && !claim.requestId.startsWith('evt_') && claim.claimedAt >= since ? [claim] : []
  })
}

/** Undefined where a quote is left open. */
function cellsOf(line: string): string[] | undefined {
  const cells: string[] = []
  const cell = new RegExp(CELL)
  for (;;) {
    const [, quoted, plain = '', end] = cell.exec(line) ?? []
    if (end === undefined) return undefined
    cells.push(quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'))
    if (end === '') return cells
  }
}

type Row = { readonly [column: string]: string | undefined }

function claimOf({
  request_id: requestId = '',
  status = '',
  claimed_at: at = '',
  tool = '',
}: Row): EndpointClaim | undefined {
  // SQLite counts seconds.
  const claimedAt = new Date(/^\d{9,11}$/.test(at) ? Number(at) * 1000 : at)
  if (requestId === '' || !/^(?:[1-5]\d\d)?$/.test(status) || Number.isNaN(claimedAt.getTime())) return undefined
  return { requestId, tool: tool === '' ? null : tool, status: status === '' ? null : Number(status), claimedAt }
}
