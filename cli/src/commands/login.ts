import { askPerson, askSecret } from '../ask.ts'
import { readText } from '../catalog-file.ts'
import { type Command, EXIT, UsageError } from '../command.ts'
import { keepLogin, open } from '../key.ts'
import { oneLine } from '../screen.ts'

export const login: Command = {
  takes: '[address]',
  does: 'Keeps an address and a key for this user, in a file that nobody else can read. The key is typed, or comes on stdin.',
  async run({ words, screen, surroundings }) {
    if (words.length > 1) throw new UsageError('Name only the address. The key is asked for, or read from stdin.')
    const { stdin, env } = surroundings
    const url = words[0] ?? env.TETHER_BASE_URL ?? (await askPerson(surroundings, 'Address of the service: '))
    if (!url) throw new UsageError('Name the address of the service, such as https://assistant.example.com.')
    const key = (stdin.isTTY === true ? await askSecret(surroundings, 'Secret key: ') : readText('-'))?.trim()
    if (!key) throw new UsageError('There is no key on stdin. Say `tether login <address> < key-file`.')
    const address = url.trim().replace(/\/+$/, '')
    // A key that does not work is not kept.
    const account = await open({ url: address, key }).request('GET /v1/account')
    const file = keepLogin(env, { url: address, key })
    if (screen.isJson) screen.json({ url: address, workspace: account.name, file })
    screen.good(`${file} has the key of ${oneLine(account.name)}, for you alone.`)
    return EXIT.ok
  },
}
