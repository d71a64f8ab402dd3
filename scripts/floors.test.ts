import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import test from 'node:test'
import { type Floors, placeFaults, tableReadFaults } from './floors.ts'

const floors: Floors = {
  floors: { low: ['ground/shops'], high: ['features/orders'] },
  modules: { parcels: { rooms: ['features/parcels'] }, maps: { needs: ['parcels'], rooms: ['features/maps'] } },
}
const rooms = ['ground/shops', 'features/orders', 'features/parcels', 'features/maps']
const owners = { shops: { owner: 'ground/shops' }, parcels: { owner: 'features/parcels' } }

test('every room stands in one place, and every place has its rooms', () => {
  assert.deepEqual(placeFaults(floors, rooms), [])
  assert.match(placeFaults(floors, [...rooms, 'features/carts'])[0] ?? '', /features\/carts: name its floor/)
  assert.match(placeFaults(floors, rooms.slice(1))[0] ?? '', /there is no room ground\/shops/)
  const twice = { ...floors, floors: { ...floors.floors, high: ['features/orders', 'ground/shops'] } }
  assert.match(placeFaults(twice, rooms)[0] ?? '', /ground\/shops stands in two places/)
})

test('a module needs only modules that stand before it', () => {
  const { parcels, maps } = floors.modules
  assert.ok(parcels !== undefined && maps !== undefined)
  assert.match(placeFaults({ ...floors, modules: { maps, parcels } }, rooms)[0] ?? '', /maps needs parcels/)
})

test('a statement that names a table of another module is refused, wherever it names it', () => {
  const faultsOf = (room: string, text: string) =>
    tableReadFaults(floors, [{ name: `${room.split('/')[1]}.look`, room, text }], owners)
  const look = 'select s.id from shops s where exists (select 1 from parcels p where p.shop = s.id)'
  assert.deepEqual(faultsOf('features/parcels', look), [])
  assert.match(
    faultsOf('features/orders', look)[0] ?? '',
    /"orders\.look" names parcels, a table of the module parcels/,
  )
  assert.equal(faultsOf('features/maps', 'delete from parcels').length, 1)
  assert.deepEqual(faultsOf('features/orders', 'select id from shops'), [])
})

test('an import that climbs, or leads from the core into a module, is forbidden by the rules of imports', () => {
  const { forbidden } = createRequire(import.meta.url)('../.dependency-cruiser.cjs') as { forbidden: ImportRule[] }
  const isForbidden = (from: string, to: string) =>
    forbidden.some(
      (rule) =>
        rule.name.startsWith('floor-of-') &&
        matches(rule.from, `server/src/${from}`) &&
        matches(rule.to, `server/src/${to}`),
    )
  assert.equal(isForbidden('talk/chat/turn.ts', 'tools/catalog/index.ts'), false)
  assert.equal(isForbidden('tools/catalog/read.ts', 'talk/chat/index.ts'), true)
  assert.equal(isForbidden('talk/chat/turn.ts', 'modules/channels/index.ts'), true)
  assert.equal(isForbidden('modules/channels/posts.ts', 'writes/actions/index.ts'), false)
  assert.equal(isForbidden('modules/channels/posts.ts', 'modules/upstreams/index.ts'), true)
  assert.equal(
    isForbidden('modules/providers/parts/catalog.ts', 'modules/openapi-import/index.ts'),
    false,
    'it needs it',
  )
})

type Matcher = { readonly path?: string; readonly pathNot?: string }
type ImportRule = { readonly name: string; readonly from: Matcher; readonly to: Matcher }
const matches = ({ path = '', pathNot }: Matcher, file: string): boolean =>
  new RegExp(path).test(file) && !(pathNot !== undefined && new RegExp(pathNot).test(file))
