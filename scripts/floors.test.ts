import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import path from 'node:path'
import test from 'node:test'
import { folderFaults, tableReadFaults } from './floors.ts'

const owners = { shops: { owner: 'tools/shops' }, parcels: { owner: 'modules/parcels' } }

test('every folder of the server is a floor, and every floor has its folder', () => {
  const floors = { floors: ['tools', 'writes'], needs: {} }
  assert.deepEqual(folderFaults(floors, ['tools', 'writes', 'modules', 'process']), [])
  assert.match(folderFaults(floors, ['tools', 'writes', 'carts'])[0] ?? '', /carts is no floor/)
  assert.match(folderFaults(floors, ['tools'])[0] ?? '', /names the floor writes, and there is no folder/)
})

test('a statement that names a table of another module is refused, wherever it names it', () => {
  const faultsOf = (room: string, text: string) =>
    tableReadFaults([{ name: `${room.split('/')[1]}.look`, room, text }], owners)
  const look = 'select s.id from shops s where exists (select 1 from parcels p where p.shop = s.id)'
  assert.deepEqual(faultsOf('modules/parcels', look), [])
  assert.match(faultsOf('writes/orders', look)[0] ?? '', /"orders\.look" names parcels, a table of modules\/parcels/)
  assert.equal(faultsOf('modules/maps', 'delete from parcels').length, 1)
  assert.deepEqual(faultsOf('writes/orders', 'select id from shops'), [])
})

test('an import that climbs, or leads from the core into a module, is forbidden by the rules of imports', () => {
  const { forbidden } = createRequire(import.meta.url)('../.dependency-cruiser.cjs') as { forbidden: ImportRule[] }
  const isForbidden = (from: string, to: string) =>
    forbidden.some(
      (rule) =>
        rule.to.path !== undefined &&
        matches(rule.from, path.join('server/src', from)) &&
        matches(rule.to, path.join('server/src', to)),
    )
  assert.equal(isForbidden('talk/chat/turn.ts', 'tools/catalog/index.ts'), false)
  assert.equal(isForbidden('tools/catalog/read.ts', 'talk/chat/index.ts'), true)
  assert.equal(isForbidden('talk/chat/turn.ts', 'modules/channels/index.ts'), true)
  assert.equal(isForbidden('modules/channels/posts.ts', 'writes/actions/index.ts'), false)
  assert.equal(isForbidden('modules/channels/posts.ts', 'modules/upstreams/index.ts'), true)
  // It needs it.
  assert.equal(isForbidden('modules/providers/parts/catalog.ts', 'modules/openapi-import/index.ts'), false)
  assert.equal(isForbidden('core.ts', 'modules/channels/index.ts'), true)
  assert.equal(isForbidden('talk/chat/turn.ts', 'modules.ts'), true)
  // A test of the core opens a module by its value, and the files that every test loads bring no module along.
  assert.equal(isForbidden('talk/chat/chat.test.ts', 'modules/offline/module.ts'), false)
  for (const test of ['talk/chat/chat.test.ts', 'talk/chat/fixtures/talk.ts', '../testkit/house.ts', 'app.ts'])
    for (const loaded of ['modules/offline/index.ts', 'modules/previews/fixtures/scripted-site.ts', 'modules.ts'])
      assert.equal(isForbidden(test, loaded), true, `${test} imports ${loaded}`)
})

type Matcher = { readonly path?: string; readonly pathNot?: string }
type ImportRule = { readonly name: string; readonly from: Matcher; readonly to: Matcher }
const matches = ({ path = '', pathNot }: Matcher, file: string): boolean =>
  new RegExp(path).test(file) && !(pathNot !== undefined && new RegExp(pathNot).test(file))
