import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import { type Command, EXIT, type Given, textFlag, UsageError } from '../command.ts'
import { serviceFolder } from '../dev/find-service.ts'
import { DATA, makeFolder, RECEIVER_ENV, type Workspace, workspaceAt } from '../dev/workspace.ts'
import { LOCAL_LOGIN } from '../key.ts'
import { oneLine } from '../screen.ts'

export const dev: Command = {
  takes: '',
  stays: true,
  does: 'Runs the service on this machine with everything embedded, makes a workspace in it, and keeps its key for the commands of this folder.',
  options: {
    port: { type: 'string', does: 'the port; 8787 unless set' },
    'no-demo': { type: 'boolean', does: 'without the pretend shop' },
    service: { type: 'string', does: 'the folder of the service, where it is not installed beside the CLI' },
  },
  async run(given) {
    if (given.words.length > 0) throw new UsageError('It takes no words: say `tether dev`.')
    const folder = serviceFolder(textFlag(given, 'service'))
    const port = portOf(given)
    makeFolder()
    const child = start(given, folder, port)
    given.stopping.addEventListener('abort', () => child.kill('SIGTERM'))
    const ended = new Promise<number>((resolve) => child.once('exit', (code) => resolve(code ?? 1)))
    const ready = await Promise.race([readyOf(child), ended.then(() => null)])
    if (ready !== null) {
      try {
        tell(given, ready, await workspaceAt(ready.url))
      } catch (error) {
        child.kill('SIGTERM')
        await ended
        throw error
      }
    }
    const code = await ended
    return code === 0 || given.stopping.aborted ? EXIT.ok : EXIT.no
  },
}

function portOf(given: Given): string {
  const text = textFlag(given, 'port') ?? '8787'
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new UsageError('--port must be a number from 0 to 65535.')
  return text
}

/** What the shell has set for other programs of its owner: theirs is another database, and another port. */
const NOT_OURS = ['DATABASE_URL', 'REDIS_URL', 'NODE_ENV', 'TETHER_API_KEY']

function start({ surroundings, flags }: Given, folder: string, port: string): ChildProcess {
  const own = Object.entries(surroundings.env).filter(([name]) => !NOT_OURS.includes(name))
  const env = {
    ...Object.fromEntries(own),
    Environment: 'Development',
    PORT: port,
    Database__DataDirectory: DATA,
    ...(flags['no-demo'] === true ? { Demo__Enabled: 'false' } : {}),
  }
  const file = path.join(folder, 'server/start.mjs')
  // Its log is the data of this command. Over the channel it says when it is ready, and hears when this process is gone.
  return spawn(process.execPath, [file, 'serve', '--tell-parent'], {
    env,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
}

/** As server/src/process/serve.ts says it. */
type Ready = {
  readonly ready: true
  readonly url: string
  readonly demo: { readonly shopUrl: string; readonly signInLink: string; readonly workshopUrl: string } | null
}

function readyOf(child: ChildProcess): Promise<Ready> {
  return new Promise((resolve) => {
    child.on('message', (said: Partial<Ready>) => {
      if (said.ready === true && said.url !== undefined)
        resolve({ ready: true, url: said.url, demo: said.demo ?? null })
    })
  })
}

function tell({ screen }: Given, { url, demo }: Ready, { name, isNew }: Workspace): void {
  if (screen.isJson) {
    screen.line({ url, workspace: name, login: LOCAL_LOGIN, receiverEnv: RECEIVER_ENV })
    return
  }
  const rows: [string, string][] = [
    ['Service', url],
    ['Documents', `${url}/docs`],
    ['Reference', `${url}/swagger`],
    ['Console', `${url}/console`],
    ...(demo === null
      ? []
      : ([
          ['Demo shop', demo.shopUrl],
          ['Its inbox', demo.signInLink],
          ['Its workshop', demo.workshopUrl],
        ] as [string, string][])),
    ['Workspace', `${oneLine(name)} (${isNew ? 'new' : 'the one of before'})`],
    ['Its key', `${LOCAL_LOGIN}: the commands of this folder use it`],
    ['Its secret', `${RECEIVER_ENV}: for your receiver`],
  ]
  screen.say('')
  screen.good('Tether runs, with everything in this folder.')
  for (const [what, where] of rows) screen.say(`  ${what.padEnd(13)}${where}`)
  screen.say('')
  screen.say('Next, in another terminal: `npx tether init`. Stop with Ctrl-C.')
}
