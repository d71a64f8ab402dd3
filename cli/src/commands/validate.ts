import type { Schemas } from '../../../sdk/src/index.ts'
import { catalogName, type Finding, findingsIn, readCatalog, showFindings } from '../catalog-file.ts'
import { type Command, EXIT, type Given } from '../command.ts'

export const validate: Command = {
  takes: '[file]',
  does: 'Checks a catalog, and says each fault with its line. Registers nothing.',
  async run(given) {
    const name = catalogName(given)
    const read = readCatalog(name)
    const checked = 'located' in read ? await check(given, read) : { findings: [read], valid: null }
    return report(given, name, checked)
  },
}

type Checked = { readonly findings: readonly Finding[]; readonly valid: Schemas['CatalogValid'] | null }
type File = Exclude<ReturnType<typeof readCatalog>, Finding>

async function check({ service }: Given, file: File): Promise<Checked> {
  const said = await validity(service(), file.located.value)
  if (!said.valid) return { findings: findingsIn(file, said.errors, []), valid: null }
  return { findings: findingsIn(file, [], said.warnings), valid: said }
}

/** 400 with `valid: false` is the answer to the question, and no failure of it. */
async function validity(
  service: ReturnType<Given['service']>,
  value: unknown,
): Promise<Schemas['CatalogValid'] | Schemas['CatalogInvalid']> {
  try {
    return await service.request('POST /v1/tools/validate', { body: value as Schemas['ToolSpecs'] })
  } catch (error) {
    const body = (error as { body?: { valid?: unknown; errors?: unknown } }).body
    if (body?.valid === false && Array.isArray(body.errors)) return body as Schemas['CatalogInvalid']
    throw error
  }
}

function report({ screen }: Given, name: string, { findings, valid }: Checked) {
  if (screen.isJson) screen.json({ valid: valid !== null, file: name, findings })
  else showFindings({ screen }, name, findings)
  if (valid === null) screen.bad(`${name} cannot be registered: ${counted(findings.length, 'fault')}.`)
  else {
    const { toolCount, writeToolCount } = valid
    const warned = findings.length === 0 ? '' : `, with ${counted(findings.length, 'warning')}`
    screen.good(`${name} can be registered: ${tools(toolCount, writeToolCount)}${warned}.`)
  }
  return valid === null ? EXIT.no : EXIT.ok
}

export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`
export const tools = (all: number, writes: number): string => `${counted(all, 'tool')}, ${counted(writes, 'write')}`
