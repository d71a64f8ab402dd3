// What a request may leave out or send as null, and what it may not invent.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { z } from 'zod'
import { type OpenHouse, openHouse } from '../testkit/house.ts'
import { requestSchema, shapeCheck } from './kernel/http/index.ts'
import { MODULES } from './modules.ts'
import { ANYONE, type Route, route } from './tenancy/access/index.ts'

const probe = { reach: ANYONE, lane: 'none', group: 'Probe', summary: 'A probe', method: 'POST' } as const
const Part = z.object({ size: z.int().optional(), of: z.string() }).meta({ id: 'ProbePart' })
const Nested = z
  .object({
    name: z.string(),
    part: Part.optional(),
    parts: z.array(Part).optional(),
    cleared: z.string().nullable().optional(),
    either: z.union([Part, z.string()]).optional(),
    free: z.looseObject({}).optional(),
    anything: z.unknown().optional(),
  })
  .meta({ id: 'ProbeNested' })

const probes: Route[] = [
  route({
    ...probe,
    path: '/probe/open',
    body: z.object({ text: z.string().optional() }),
    answers: { 200: { schema: z.unknown() } },
    handle: async (_ctx, { body }) => ({ status: 200, body }),
  }),
  route({
    ...probe,
    path: '/probe/nested',
    body: Nested,
    bodyCodes: { name: 'invalid_name' },
    errors: ['invalid_name'],
    answers: { 200: { schema: z.unknown() } },
    handle: async (_ctx, { body }) => ({ status: 200, body }),
  }),
]

let house: OpenHouse
before(async () => {
  house = await openHouse({ modules: MODULES, moreRoutes: probes })
})
after(() => house.close())

test('a body that is not there is an empty one where nothing is required; else the missing member’s own code answers', async () => {
  assert.deepEqual((await house.ask('POST', '/probe/open')).body, {})
  const missing = await house.ask('POST', '/probe/nested')
  assert.deepEqual([missing.status, missing.error?.code], [400, 'invalid_name'])
  assert.match(missing.error?.message ?? '', /`name` is missing/)
})

test('an optional member that is null is absent, however deep, and a null that means something stays', async () => {
  const nested = async (body: object) => {
    const reply = await house.ask('POST', '/probe/nested', { body: { name: 'a', ...body } })
    return reply.status === 200 ? reply.body : reply.error?.message
  }
  assert.deepEqual(await nested({ part: null, parts: null, either: null, free: null }), { name: 'a' })
  const part = { size: null, of: 'x' }
  assert.deepEqual(await nested({ part, parts: [part, { of: 'y' }], either: part }), {
    name: 'a',
    part: { of: 'x' },
    parts: [{ of: 'x' }, { of: 'y' }],
    either: { of: 'x' },
  })
  const kept = { cleared: null, anything: null, free: { any: null }, unknown: null }
  assert.deepEqual(await nested(kept), { name: 'a', ...kept })
  assert.match(String(await nested({ name: null })), /`name` must be string/)
  assert.match(String(await nested({ part: { of: null } })), /`part.of` must be string/)
})

test('that holds on every route', () => {
  const tried: string[] = []
  for (const { method, path, body: schema, bodyCodes, ownCheck, example } of house.app.routes) {
    if (schema === undefined || ownCheck === true || path.startsWith('/probe')) continue
    const check = shapeCheck({ body: schema, bodyCodes })
    const body = example?.body ?? {}
    const { $defs = {}, $ref, ...plain } = requestSchema(schema)
    const { properties = {}, required = [] } = $ref === undefined ? plain : ($defs[$ref.slice(8)] ?? assert.fail($ref))
    for (const name of Object.keys(properties)) {
      if (required.includes(name)) continue
      tried.push(`${method} ${path} ${name}`)
      check({ params: {}, query: {}, body: { ...body, [name]: null } })
    }
    if (required.length === 0) check({ params: {}, query: {}, body: undefined })
  }
  assert.ok(tried.includes('POST /v1/chat image') && tried.includes('POST /v1/signup language'), String(tried))
  assert.ok(tried.length > 40, String(tried.length))
})

test('a missing member that has a code of its own gets that code, in a body without it and without a body', async () => {
  const { apiKey } = await house.tenant()
  for (const [asked, code, key = apiKey] of [
    ['POST /v1/chat', 'empty_prompt'],
    ['POST /v1/chat/stream', 'empty_prompt'],
    ['POST /v1/agent', 'empty_prompt'],
    ['POST /v1/chat/feedback', 'invalid_feedback'],
    ['POST /v1/account/keys', 'unknown_kind'],
    ['PUT /v1/account/intent', 'invalid_intent'],
    ['DELETE /v1/account', 'confirmation_required'],
    ['POST /v1/embed/instructions', 'invalid_email'],
    ['POST /v1/embed/check', 'invalid_site_url'],
    ['POST /v1/signup', 'invalid_email', ''],
    ['POST /v1/signup/recover', 'invalid_email', ''],
    ['POST /v1/signup/confirm', 'invalid_link', ''],
    ['POST /v1/signup/verify', 'invalid_link', ''],
    ['POST /v1/signup/recover/redeem', 'invalid_link', ''],
    ['POST /v1/tenants', 'invalid_name', house.operatorKey],
    // These have none of their own.
    ['POST /v1/actions', 'invalid_request'],
    ['PUT /v1/endpoint', 'invalid_request'],
    ['PUT /v1/events/webhook', 'invalid_request'],
    ['PUT /v1/origins', 'invalid_request'],
  ] as const) {
    const [method = '', path = ''] = asked.split(' ')
    for (const sent of [{}, { body: {} }]) {
      const reply = await house.ask(method, path, { ...sent, ...(key === '' ? {} : { key }) })
      assert.deepEqual([reply.status, reply.error?.code], [400, code], asked)
    }
  }
})

test('a missing link is no whole link, as an empty one is', async () => {
  const { apiKey } = await house.tenant()
  for (const sent of [{}, { body: {} }, { body: { token: null } }, { body: { token: '' } }]) {
    const { status, error } = await house.ask('POST', '/v1/user-sessions', { ...sent, key: apiKey })
    assert.deepEqual([status, error?.code, error?.reason], [401, 'invalid_sign_in_link', 'malformed'])
  }
})

test('an id of the wrong form is told of in words, and not by a pattern', async () => {
  const { apiKey } = await house.tenant()
  for (const asked of ['/v1/audit?actionId=A-17', '/v1/events/deliveries?actionId=7', '/v1/actions?before=x']) {
    const { status, error } = await house.ask('GET', asked, { key: apiKey })
    assert.deepEqual([status, error?.code], [400, 'invalid_request'], asked)
    assert.match(
      error?.message ?? '',
      /^`(?:actionId|before)` \(in the query\) must be a UUID, such as [\da-f-]{36}\.$/,
    )
  }
})

test('an unknown query parameter is refused by its name, with the nearest that the route knows', async () => {
  const { apiKey } = await house.tenant()
  for (const [asked, message, key = apiKey] of [
    ['GET /v1/audit?actionid=x', /`actionid`.*nearest is `actionId`/],
    ['GET /v1/audit/export?tool=x', /`tool`.*nearest is `to`/],
    ['GET /v1/actions?state=executed', /`state`.*nearest is `status`/],
    ['GET /v1/events/deliveries?filed=true', /`filed`.*nearest is `failed`/],
    ['GET /v1/outcomes?form=2026-01-01', /`form`.*nearest is `from`/],
    ['GET /v1/chat/feedback?ratings=up', /nearest is `rating`/],
    ['GET /v1/account/events?limits=1', /nearest is `limit`/],
    ['GET /v1/tenants?Limit=1', /nearest is `limit`/, house.operatorKey],
    ['DELETE /v1/keys/tth_00000000?tenantid=1', /nearest is `tenantId`/, house.operatorKey],
    ['GET /v1/users?role=manager', /`role`.*takes no parameters/],
    [`GET /v1/account/keys?${'k'.repeat(500)}=1`, /`k{60}`/],
    ['GET /v1/tools?__proto__=1', /`__proto__`/],
  ] as const) {
    const [method = '', path = ''] = asked.split(' ')
    const { status, error } = await house.ask(method, path, { key })
    assert.deepEqual([status, error?.code], [400, 'invalid_request'], asked)
    assert.match(error?.message ?? '', message)
  }
  assert.equal((await house.ask('GET', '/v1/audit?limit=1&tool=x', { key: apiKey })).status, 200)
  assert.equal((await house.ask('GET', '/health?at=1')).status, 200, 'only the interface is strict')
})
