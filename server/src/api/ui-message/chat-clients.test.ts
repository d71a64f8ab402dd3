// Every example of docs/chat-clients.md is run, read by what it is for, or held against the types of the packages that it imports.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import test, { after, before } from 'node:test'
import { promisify } from 'node:util'
import { load } from 'js-yaml'
import ts from 'typescript'
import { type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { playedModel } from '../../../testkit/played-model.ts'
import { EXAMPLES, exampleWith, ROOT } from './fixtures/guide.ts'

const run = promisify(execFile)
let house: OpenHouse
let env: Record<string, string>
before(async () => {
  house = await openHouse({ model: playedModel(['It is on its way.']) })
  const { apiKey } = await house.tenant()
  await house.app.server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = house.app.server.server.address() as AddressInfo
  env = { PATH: '/usr/bin:/bin', TETHER_BASE_URL: `http://127.0.0.1:${port}`, TETHER_API_KEY: apiKey }
})
after(() => house.close())

test('the guide has examples of these languages and of no other', () => {
  assert.deepEqual(
    EXAMPLES.map(({ language }) => language),
    ['tsx', 'ts', 'ts', 'sh', 'yaml', 'yaml'],
  )
})

test('the page with `useChat`, its transport and the client of OpenAI have the types of their packages', () => {
  const files = new Map(
    EXAMPLES.filter(({ language }) => language.startsWith('ts')).map(({ language, code }, at) => [
      path.join(ROOT, `server/example${at}.${language}`),
      code,
    ]),
  )
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2024,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    jsx: ts.JsxEmit.ReactJSX,
    lib: ['lib.es2024.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.dom.asynciterable.d.ts'],
    types: ['node'],
    strict: true,
    noUncheckedIndexedAccess: true,
    noUnusedLocals: true,
    skipLibCheck: true,
    noEmit: true,
  }
  const host = ts.createCompilerHost(options)
  const { fileExists, getSourceFile } = host
  host.getCurrentDirectory = () => ROOT
  host.fileExists = (file) => files.has(file) || fileExists(file)
  host.getSourceFile = (file, ...more) => {
    const code = files.get(file)
    return code === undefined ? getSourceFile(file, ...more) : ts.createSourceFile(file, code, ts.ScriptTarget.ES2024)
  }
  const faults = ts.getPreEmitDiagnostics(ts.createProgram([...files.keys()], options, host))
  assert.equal(ts.formatDiagnostics(faults, host), '')
})

test('the program with the client of OpenAI prints an answer, and so does curl', async () => {
  const program = exampleWith('ts', 'new OpenAI(')
  const { stdout } = await run(process.execPath, ['--input-type=module-typescript', '-e', program], { env, cwd: ROOT })
  assert.equal(stdout, 'It is on its way.\n')
  const streamed = await run('bash', ['-c', exampleWith('sh', 'curl')], { env })
  assert.match(streamed.stdout, /^data: \{"id":"req_/)
  assert.match(streamed.stdout, /"content":"It is on its way\."[\s\S]*\ndata: \[DONE\]\n/)
})

test('the set-up of the programs is YAML, and names the address that there is and the model that it has', async () => {
  const compose = load(exampleWith('yaml', 'open-webui')) as {
    services: { 'open-webui': { environment: Record<string, string> } }
  }
  const chat = load(exampleWith('yaml', 'titleConvo')) as {
    endpoints: { custom: { baseURL: string; models: { default: string[] } }[] }
  }
  const [endpoint] = chat.endpoints.custom
  for (const address of [compose.services['open-webui'].environment.OPENAI_API_BASE_URL, endpoint?.baseURL]) {
    const { pathname } = new URL(address ?? '')
    const { status, body } = await house.ask<{ data: { id: string }[] }>('GET', `${pathname}/models`, {
      key: env.TETHER_API_KEY ?? '',
    })
    assert.deepEqual([status, body.data.map(({ id }) => id)], [200, endpoint?.models.default])
  }
})
