// The walls of the house. A door that is opened here is written down in HOUSE.md in the same commit.
const S = '^server/src'
// A test opens a whole house, so the arrows hold for what is shipped.
const TEST = '\\.(test|proof|browser)\\.ts$|/fixtures/'
const never = (name, from, to) => ({ name, severity: 'error', from, to })
const shipped = (name, path, to) => never(name, { path, pathNot: TEST }, to)

// Which features may ask which others, each at its door. Everything that is not listed is shut, but for the fixtures of a room, which
// any test may use (shipped-code-imports-no-test).
const DOORS = {
  accounts: [],
  operator: [],
  catalog: ['labels'],
  chat: [
    'actions',
    'approvals',
    'calls',
    'catalog',
    'conversations',
    'handoffs',
    'pictures',
    'proposals',
    'streams',
    'writes',
  ],
  channels: ['actions', 'approvals', 'decisions', 'notices'],
  conversations: [],
  handoffs: ['catalog'],
  outcomes: ['chat'],
  calls: ['catalog'],
  actions: ['approvals', 'calls', 'catalog', 'reminders', 'writes'],
  approvals: [],
  decisions: ['actions', 'approvals', 'calls', 'catalog', 'labels', 'writes'],
  audit: [],
  embed: [],
  knowledge: ['chat'],
  labels: [],
  drafts: ['catalog', 'imports'],
  listening: [],
  imports: ['calls', 'catalog'],
  notices: ['actions', 'approvals', 'catalog', 'labels', 'writes'],
  pictures: [],
  previews: ['catalog', 'chat', 'signup'],
  proposals: ['actions', 'conversations', 'labels', 'writes'],
  signup: [],
  events: [],
  offline: ['labels'],
  upstreams: ['calls', 'catalog'],
  people: ['approvals', 'notices'],
  recovery: ['actions', 'calls'],
  reminders: [],
  streams: [],
  trials: ['actions', 'calls', 'catalog', 'chat', 'writes'],
  writes: ['catalog', 'labels'],
  providers: ['approvals', 'catalog', 'embed', 'events', 'imports', 'vocabulary'],
  vocabulary: [],
}

const doors = Object.entries(DOORS).map(([room, open]) => {
  const allowed = [room, ...open].join('|')
  const to = { path: `${S}/features/(?!(${allowed})/)`, pathNot: '/fixtures/' }
  return never(`doors-of-${room}`, { path: `${S}/features/${room}/` }, to)
})

// Each room stands on a floor or in a module (server/floors.json): it looks at its own, at those below, and at the modules that it needs.
const { floors, modules, exceptions } = require('./server/floors.json')
const belowOf = (floor) => Object.keys(floors).slice(0, Object.keys(floors).indexOf(floor) + 1)
const roomsOf = (name) => floors[name] ?? modules[name].rooms
const placed = [...Object.keys(floors), ...Object.keys(modules)].flatMap((place) =>
  roomsOf(place).map((room) => {
    const seen = place in floors ? belowOf(place) : [place, ...Object.keys(floors), ...(modules[place].needs ?? [])]
    const excused = exceptions.imports.filter(({ from }) => from === room).map(({ to }) => to)
    const open = [...seen.flatMap(roomsOf), ...excused].join('|')
    const rooms = '(foundation|ground|features|surfaces|settings)/'
    return shipped(`floor-of-${room}`, `${S}/${room}/`, { path: `${S}/${rooms}`, pathNot: `${S}/(${open})/` })
  }),
)

module.exports = {
  forbidden: [
    never('no-cycles', {}, { circular: true }), // type-only ones too
    shipped('foundation-looks-at-nothing', `${S}/foundation/`, { path: `${S}/(?!foundation/)` }),
    shipped('settings-look-at-nothing', `${S}/settings/`, { path: `${S}/(?!settings/)` }),
    shipped('ground-looks-down', `${S}/ground/`, { path: `${S}/(?!ground/|foundation/|settings/)` }),
    shipped('features-do-not-climb', `${S}/features/`, {
      path: `${S}/(surfaces/|process/|modules|module|core|offers|app|main)`,
    }),
    shipped('surfaces-do-not-climb', `${S}/surfaces/`, { path: `${S}/(process/|modules|module|core|offers|app|main)` }),
    // `modules.ts` alone lists the modules. A command works on the list, and a module names those that it needs.
    shipped('core-names-no-module', `${S}/(core|offers|module)\\.ts$`, { path: `${S}/modules` }),
    shipped('wiring-imports-no-module', `${S}/(core|offers|module|app)\\.ts$`, {
      path: `${S}/(${Object.keys(modules).flatMap(roomsOf).join('|')})/`,
    }),
    never(
      'rooms-have-one-door',
      { path: `${S}/(features|ground|foundation)/([^/]+)/`, pathNot: TEST },
      {
        path: `${S}/(features|ground|foundation)/[^/]+/`,
        pathNot: `${S}/($1/$2/|(features|ground|foundation)/[^/]+/index\\.ts$)`,
      },
    ),
    never(
      'outside-uses-doors',
      { path: `${S}/(surfaces/|process/|modules/|module|core|offers|app|main)` },
      {
        path: `${S}/(features|ground|foundation|settings)/`,
        pathNot: `${S}/((features|ground|foundation)/[^/]+|settings)/index\\.ts$|/fixtures/`,
      },
    ),
    never('settings-have-one-door', { path: `${S}/(?!settings/)` }, { path: `${S}/settings/(?!index\\.ts$)` }),
    ...doors,
    ...placed,
    never(
      'features-without-a-list',
      { path: `${S}/features/(?!(${Object.keys(DOORS).join('|')})/)` },
      { path: `${S}/features/` },
    ),
    never('pg-lives-in-foundation-db', { path: `${S}/(?!foundation/db/)` }, { path: 'node_modules/(@types/)?pg/' }),
    never(
      'pglite-lives-in-foundation-db',
      { path: `${S}/(?!foundation/db/)` },
      { path: 'node_modules/@electric-sql/' },
    ),
    never('fastify-lives-in-foundation-http', { path: `${S}/(?!foundation/http/)` }, { path: 'node_modules/fastify/' }),
    never(
      'redis-lives-in-ground-limits',
      { path: `${S}/(?!ground/limits/)`, pathNot: TEST },
      { path: 'node_modules/@?redis/' },
    ),
    never('nodemailer-lives-in-ground-mail', { path: `${S}/(?!ground/mail/)` }, { path: 'node_modules/nodemailer/' }),
    never(
      'the-network-is-left-through-egress',
      // One file reads addresses with `net.BlockList` and opens no connection.
      // A model provider stands at the operator's own address, which the guard against tenants' addresses would refuse.
      {
        path: `${S}/(?!foundation/(egress|http|db|model)/|ground/limits/|ground/access/client-address)`,
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
