// Each module can be removed: its folder and its lines in modules.ts and floors.json are deleted in a copy of the working tree. What is left
// compiles, keeps the rules of imports, and opens and answers.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { copyTree } from '../../scripts/mutate.ts'
import { MODULES } from '../src/modules.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const SERVED = ['/health', '/ready', '/swagger', '/inbox', '/openapi']
const OPEN_AND_ASK = `
  import { openHouse } from './server/testkit/house.ts'
  import { MODULES } from './server/src/modules.ts'
  const house = await openHouse({ modules: MODULES })
  const served = []
  for (const path of ${JSON.stringify(SERVED)}) served.push((await house.ask('GET', path)).status)
  await house.close()
  process.stdout.write(JSON.stringify(served))`

/** Removes a module, and those that need it. */
function removeModule(copy: string, name: string): void {
  const edit = (file: string, change: (text: string) => string): void => {
    const at = path.join(copy, 'server', file)
    writeFileSync(at, change(readFileSync(at, 'utf8')))
  }
  rmSync(path.join(copy, 'server/src/modules', name), { recursive: true })
  edit('src/modules.ts', (text) => textWithout(text, name))
  edit('floors.json', (text) => {
    const { floors, needs } = JSON.parse(text)
    delete needs[name]
    return JSON.stringify({ floors, needs })
  })
  const needing = MODULES.filter(({ needs = [] }) => needs.some((needed) => needed.name === name))
  for (const one of needing) removeModule(copy, one.name)
}

/** The text of modules.ts without the import of a module and without its line in the list. */
function textWithout(text: string, name: string): string {
  const line = new RegExp(`^import \\{ (\\w+) \\} from './modules/${name}/module\\.ts'\\n`, 'm')
  const value = line.exec(text)?.[1]
  assert.ok(value, `modules.ts imports ${name}`)
  return text.replace(line, '').replace(new RegExp(`^ *${value},\\n`, 'm'), '')
}

for (const { name } of MODULES)
  test(`without the folder of ${name} the service compiles, opens and answers`, (t) => {
    const copy = copyTree(ROOT)
    t.after(() => rmSync(copy, { recursive: true, force: true }))
    removeModule(copy, name)
    const run = (...args: string[]) => spawnSync(process.execPath, args, { cwd: copy, encoding: 'utf8' })
    // Tests and scripts may name a module.
    const { compilerOptions } = JSON.parse(readFileSync(path.join(copy, 'tsconfig.json'), 'utf8'))
    const shipped = {
      compilerOptions: { ...compilerOptions, lib: [...compilerOptions.lib, 'dom'] },
      files: ['server/src/main.ts'],
    }
    writeFileSync(path.join(copy, 'shipped.json'), JSON.stringify(shipped))
    assert.equal(run('node_modules/typescript-7/bin/tsc', '--noEmit', '-p', 'shipped.json').stdout, '')
    const { stdout, stderr } = run('--input-type=module', '-e', OPEN_AND_ASK)
    assert.equal(stdout, JSON.stringify(SERVED.map(() => 200)), stderr)
  })
