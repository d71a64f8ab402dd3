import type { Schemas } from '../../../sdk/src/index.ts'
import { catalogName, findingsIn, readCatalog, showFindings } from '../catalog-file.ts'
import { type Command, EXIT } from '../command.ts'
import { compare, showChanges } from '../compare.ts'
import { oneLine } from '../screen.ts'
import { tools } from './validate.ts'

export const push: Command = {
  takes: '[file]',
  does: 'Registers a catalog as the whole of what a model can call, and says what changed.',
  async run({ screen, service, ...given }) {
    const name = catalogName(given)
    const file = readCatalog(name)
    if (!('located' in file)) {
      showFindings({ screen }, name, [file])
      screen.bad(`${name} is not JSON. Nothing was registered.`)
      return EXIT.no
    }
    const { value } = file.located
    const before = await service().request('GET /v1/tools')
    try {
      const done = await service().request('PUT /v1/tools', { body: value as Schemas['ToolSpecs'] })
      const changes = compare(before.tools, value)
      if (screen.isJson) screen.json({ ...done, changes })
      else showChanges(screen, changes)
      // They are about the policy, which the file does not hold.
      for (const { message } of done.warnings) screen.warn(oneLine(message))
      screen.good(`Version ${done.version} is registered: ${tools(done.toolCount, done.writeToolCount)}.`)
      return EXIT.ok
    } catch (error) {
      const body = (error as { body?: Partial<Schemas['CatalogRefused']> }).body
      if (body?.registered !== false || body.errors === undefined) throw error
      const findings = findingsIn(file, body.errors, [])
      if (screen.isJson) screen.json({ registered: false, file: name, findings })
      else showFindings({ screen }, name, findings)
      screen.bad(`${name} was not registered, and the catalog is as it was.`)
      return EXIT.no
    }
  },
}
