// Which file may import which. HOUSE.md describes the floors.
const { existsSync, readdirSync } = require('node:fs')
const S = '^server/src'
// A test opens a whole house, so the arrows hold for what is shipped.
const TEST = '\\.(test|proof|browser)\\.ts$|/fixtures/'
const never = (name, from, to) => ({ name, severity: 'error', from, to })
const shipped = (name, path, to) => never(name, { path, pathNot: TEST }, to)

// A room imports its own floor and those below; a module imports the core, and the modules that it needs.
const { floors, needs } = require('./server/floors.json')
const ROOM = `(?:${floors.join('|')}|modules)/[^/]+`
const WIRING = '(process/|(modules|all-routes|core|offers|app|main)\\.ts$)'
/** The door of a room, and the value that stands for a module in the list. */
const DOOR = `(${ROOM}/index\\.ts$|modules/[^/]+/module\\.ts$)`

/** A file of a module, or one that imports all modules. */
const ANY_MODULE = `${S}/(modules/|modules\\.ts$|all-routes\\.ts$)`

const floorRules = floors.map((floor, at) =>
  shipped(`${floor}-looks-down`, `${S}/${floor}/`, {
    path: `${S}/(${[...floors.slice(at + 1), 'modules'].join('|')})/`,
  }),
)
const modules = readdirSync('server/src/modules')
const moduleRules = modules.map((name) => {
  const open = [name, ...(needs[name] ?? [])].join('|')
  return shipped(`needs-of-${name}`, `${S}/modules/${name}/`, {
    path: `${S}/modules/`,
    pathNot: `${S}/modules/(${open})/`,
  })
})

/** A folder of a module that has a door of its own. */
const parts = modules
  .flatMap((name) => readdirSync(`server/src/modules/${name}`).map((folder) => `modules/${name}/${folder}`))
  .filter((part) => existsSync(`server/src/${part}/index.ts`))

module.exports = {
  forbidden: [
    never('no-cycles', {}, { circular: true }), // type-only ones too
    ...floorRules,
    ...moduleRules,
    shipped('rooms-do-not-climb', `${S}/${ROOM}/(?!module\\.ts$)`, { path: `${S}/${WIRING}` }),
    shipped('core-rooms-know-no-module', `${S}/(${floors.join('|')})/`, { path: `${S}/module\\.ts$` }),
    // `modules.ts` alone lists the modules. A command works on the list, and a module names those that it needs.
    shipped('core-names-no-module', `${S}/(core|offers|module|app)\\.ts$`, { path: ANY_MODULE }),
    // A test of the core opens no module, unless it names its value. So it loads none either.
    never(
      'core-tests-open-modules-by-value',
      { path: `${S}/(${floors.join('|')})/` },
      { path: ANY_MODULE, pathNot: `${S}/modules/[^/]+/module\\.ts$` },
    ),
    never('testkit-opens-no-module', { path: '^server/testkit/' }, { path: ANY_MODULE }),
    never(
      'rooms-have-one-door',
      { path: `${S}/(${ROOM})/`, pathNot: TEST },
      { path: `${S}/${ROOM}/`, pathNot: `${S}/($1/|${DOOR})` },
    ),
    never(
      'outside-uses-doors',
      { path: `${S}/(?!${ROOM}/)`, pathNot: `${S}/[^/]+\\.test\\.ts$` },
      { path: `${S}/${ROOM}/`, pathNot: `${S}/${DOOR}|/fixtures/` },
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
