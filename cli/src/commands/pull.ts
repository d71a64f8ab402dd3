import { existsSync, renameSync, writeFileSync } from 'node:fs'
import { type Command, EXIT, textFlag, UsageError } from '../command.ts'
import { jsonText } from '../screen.ts'
import { tools } from './validate.ts'

export const pull: Command = {
  takes: '',
  does: 'Writes the registered catalog to stdout, or to a file.',
  options: {
    output: { type: 'string', does: 'the file to write it to' },
    force: { type: 'boolean', does: 'replaces a file that is there' },
  },
  async run({ words, screen, service, ...given }) {
    if (words.length > 0) throw new UsageError(`To write a file, say \`tether pull --output ${words[0]}\`.`)
    const file = textFlag(given, 'output')
    // Said before anything is asked for, because nothing would come of it.
    if (file !== undefined && existsSync(file) && given.flags.force !== true)
      throw new UsageError(
        `${file} is there already. Look at it with \`tether diff ${file}\`, or add --force to replace it.`,
      )
    const catalog = await service().request('GET /v1/tools')
    const text = `${jsonText(catalog.tools, true)}\n`
    if (file === undefined) screen.data(text.trimEnd())
    else {
      const fresh = `${file}.${process.pid}`
      writeFileSync(fresh, text)
      renameSync(fresh, file)
    }
    const where = file === undefined ? '' : ` is in ${file}`
    screen.good(`Version ${catalog.version}${where}: ${tools(catalog.toolCount, catalog.writeToolCount)}.`)
    if (catalog.import !== null) screen.warn('It comes from an import. A push would replace that.')
    return EXIT.ok
  },
}
