import { type Command, EXIT, type Given, textFlag, UsageError } from '../command.ts'
import { oneLine } from '../screen.ts'

export const keys: Command = {
  takes: '[list | issue <kind> | revoke <prefix>]',
  does: 'Lists keys, issues one, or ends one.',
  options: { label: { type: 'string', does: 'what the new key is for' } },
  async run(given) {
    const [verb = 'list', word, more] = given.words
    if (more !== undefined) throw new UsageError(`“${more}” is one word too many.`)
    if (verb === 'list' && word === undefined) return await list(given)
    if (verb === 'issue' && word !== undefined) return await issue(given, word)
    if (verb === 'revoke' && word !== undefined) return await revoke(given, word)
    throw new UsageError('Say `tether keys`, `tether keys issue <kind>` or `tether keys revoke <prefix>`.')
  },
}

const WIDE = 76

const day = (at: string | null): string => (at === null ? '' : at.slice(0, 16).replace('T', ' '))

async function list({ screen, service }: Given) {
  const answer = await service().request('GET /v1/account/keys')
  if (screen.isJson) screen.json(answer.keys)
  else {
    const { isTerminal, width } = screen
    const rows = answer.keys.map(({ prefix, kind, label, createdAt, lastUsedAt, revokedAt }) => [
      prefix,
      kind,
      label ?? '',
      // What a narrow terminal has no room for.
      ...(isTerminal && width < WIDE ? [] : [day(createdAt), day(lastUsedAt)]),
      revokedAt === null ? 'live' : 'revoked',
    ])
    const heads =
      width < WIDE ? ['key', 'kind', 'label', 'state'] : ['key', 'kind', 'label', 'made', 'last used', 'state']
    screen.table(isTerminal ? [heads, ...rows] : rows)
  }
  return EXIT.ok
}

/** The key is the data. It is shown this once, so it goes where the caller sends it: `tether keys issue agent > agent.key`. */
async function issue({ screen, service, flags }: Given, kind: string) {
  const label = textFlag({ flags }, 'label')
  const issued = await service().request('POST /v1/account/keys', {
    body: { kind, ...(label === undefined ? {} : { label }) },
  })
  if (screen.isJson) screen.json(issued)
  else screen.data(issued.key)
  screen.good(
    `A new ${issued.kind} key, ${issued.prefix}${label === undefined ? '' : ` (${oneLine(label)})`}. Keep it: it is not shown again.`,
  )
  return EXIT.ok
}

async function revoke({ screen, service }: Given, prefix: string) {
  const revoked = await service().request('DELETE /v1/account/keys/{prefix}', { params: { prefix } })
  if (screen.isJson) screen.json(revoked)
  screen.good(`${revoked.prefix} is revoked, and refused from now on.`)
  return EXIT.ok
}
