import { catalogName, readCatalog, showFindings } from '../catalog-file.ts'
import { type Command, EXIT } from '../command.ts'
import { compare, showChanges } from '../compare.ts'
import { counted } from './validate.ts'

export const diff: Command = {
  takes: '[file]',
  does: 'Says what a push of the file would change for the model.',
  options: { 'exit-code': { type: 'boolean', does: 'ends with 1 if there is a difference' } },
  async run({ screen, service, ...given }) {
    const name = catalogName(given)
    const file = readCatalog(name)
    if (!('located' in file)) {
      showFindings({ screen }, name, [file])
      return EXIT.no
    }
    const { tools, version } = await service().request('GET /v1/tools')
    const changes = compare(tools, file.located.value)
    if (screen.isJson) screen.json({ version, changes })
    else showChanges(screen, changes)
    if (changes.length === 0) screen.good(`${name} says the same as version ${version}.`)
    else screen.say(`${counted(changes.length, 'tool')} would change, compared with version ${version}.`)
    return changes.length > 0 && given.flags['exit-code'] === true ? EXIT.no : EXIT.ok
  },
}
