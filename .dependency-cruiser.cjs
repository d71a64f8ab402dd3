// The walls of the house. A door that is opened here is written down in HOUSE.md in the same commit.
const { existsSync, readdirSync } = require('node:fs')
const S = '^server/src'
// A test opens a whole house, so the arrows hold for what is shipped.
const TEST = '\\.(test|proof|browser)\\.ts$|/fixtures/'
const never = (name, from, to) => ({ name, severity: 'error', from, to })
const shipped = (name, path, to) => never(name, { path, pathNot: TEST }, to)

// Each room belongs to a floor or a module (server/floors.json). It imports its own floor or module, those below, and the modules that its
// module needs.
const { floors, modules } = require('./server/floors.json')
const belowOf = (floor) => Object.keys(floors).slice(0, Object.keys(floors).indexOf(floor) + 1)
const roomsOf = (name) => floors[name] ?? modules[name].rooms
const ROOMS = [...Object.keys(floors), ...Object.keys(modules)].flatMap(roomsOf).join('|')
const WIRING = '(process/|(modules|module|core|offers|app|main)\\.ts$)'
/** The door of a room, and the value that stands for a module in the list. */
const DOOR = `((${ROOMS})/index\\.ts$|modules/[^/]+/module\\.ts$)`

const placed = [...Object.keys(floors), ...Object.keys(modules)].flatMap((place) =>
  roomsOf(place).map((room) => {
    const seen = place in floors ? belowOf(place) : [place, ...Object.keys(floors), ...(modules[place].needs ?? [])]
    const open = seen.flatMap(roomsOf).join('|')
    return shipped(`floor-of-${room}`, `${S}/${room}/`, { path: `${S}/(${ROOMS})/`, pathNot: `${S}/(${open})/` })
  }),
)

/** A folder of a module that has a door of its own. */
const parts = Object.keys(modules)
  .flatMap((name) => readdirSync(`server/src/modules/${name}`).map((folder) => `modules/${name}/${folder}`))
  .filter((part) => existsSync(`server/src/${part}/index.ts`))

module.exports = {
  forbidden: [
    never('no-cycles', {}, { circular: true }), // type-only ones too
    ...placed,
    shipped('rooms-do-not-climb', `${S}/(${ROOMS})/(?!module\\.ts$)`, { path: `${S}/${WIRING}` }),
    // `modules.ts` alone lists the modules. A command works on the list, and a module names those that it needs.
    shipped('core-names-no-module', `${S}/(core|offers|module)\\.ts$`, { path: `${S}/modules` }),
    shipped('wiring-imports-no-module', `${S}/(core|offers|module|app)\\.ts$`, {
      path: `${S}/(${Object.keys(modules).flatMap(roomsOf).join('|')})/`,
    }),
    never(
      'rooms-have-one-door',
      { path: `${S}/(${ROOMS})/`, pathNot: TEST },
      { path: `${S}/(${ROOMS})/`, pathNot: `${S}/($1/|${DOOR})` },
    ),
    never(
      'outside-uses-doors',
      { path: `${S}/(?!(${ROOMS})/)`, pathNot: `${S}/[^/]+\\.test\\.ts$` },
      { path: `${S}/(${ROOMS})/`, pathNot: `${S}/${DOOR}|/fixtures/` },
    ),
    ...parts.map((part) =>
      never(
        `door-of-${part}`,
        { path: `${S}/(?!${part}/)`, pathNot: TEST },
        { path: `${S}/${part}/`, pathNot: `${S}/${part}/index\\.ts$` },
      ),
    ),
    never('pg-lives-in-kernel-db', { path: `${S}/(?!kernel/db/)` }, { path: 'node_modules/(@types/)?pg/' }),
    never('pglite-lives-in-kernel-db', { path: `${S}/(?!kernel/db/)` }, { path: 'node_modules/@electric-sql/' }),
    never('fastify-lives-in-kernel-http', { path: `${S}/(?!kernel/http/)` }, { path: 'node_modules/fastify/' }),
    never(
      'redis-lives-in-tenancy-limits',
      { path: `${S}/(?!tenancy/limits/)`, pathNot: TEST },
      { path: 'node_modules/@?redis/' },
    ),
    never('nodemailer-lives-in-tenancy-mail', { path: `${S}/(?!tenancy/mail/)` }, { path: 'node_modules/nodemailer/' }),
    never(
      'the-network-is-left-through-egress',
      // One file reads addresses with `net.BlockList` and opens no connection.
      // A model provider stands at the operator's own address, which the guard against tenants' addresses would refuse.
      {
        path: `${S}/(?!kernel/(egress|http|db|model)/|tenancy/limits/|tenancy/access/client-address)`,
        pathNot: TEST,
      },
      { path: '^(https?|http2|net|tls|dns|dns/promises)$|node_modules/undici/', dependencyTypesNot: ['type-only'] },
    ),
    never(
      'shipped-code-imports-no-test',
      { path: `${S}/`, pathNot: TEST },
      { path: '^server/(testkit|proofs)/|\\.test\\.ts$|/fixtures/' },
    ),
    never('contract-is-the-floor', { path: '^contract/' }, { path: '^(server|sdk|widget|cli|bench)/' }),
    never(
      'sdk-stands-alone',
      { path: '^sdk/', pathNot: TEST },
      { path: '^(server|widget|cli|contract)/|node_modules/', pathNot: 'node_modules/@types' },
    ),
    never(
      'widget-carries-nothing-along',
      { path: '^widget/src/', pathNot: TEST },
      { path: '^(server|contract|sdk|bench)/|node_modules/', dependencyTypesNot: ['type-only'] },
    ),
    never(
      'action-carries-nothing-along',
      { path: '^action/src/', pathNot: TEST },
      { path: '^(server|widget|cli|contract|sdk)/|node_modules/(?!@types/)', dependencyTypesNot: ['type-only'] },
    ),
    never('clients-never-import-server', { path: '^(action|sdk|widget|cli)/', pathNot: TEST }, { path: '^server/' }),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'types'] },
  },
}
