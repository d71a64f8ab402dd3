import assert from 'node:assert/strict'
import test from 'node:test'
import { KEY_PREFIXES, type KeyKind } from '@tether/contract'
import { actingBy } from './acting.ts'

const HEADERS = { 'x-service-scope-id': '5', 'x-service-user-id': '8', 'x-service-user-role': 'clerk' }
const key = (kind: KeyKind) => ({
  kind,
  actionId: null,
  approverUserId: null,
  approverPersonId: null,
  selfConfirm: false,
})
const token = (more: { approverUserId?: number; approverPersonId?: number; selfConfirm?: boolean } = {}) => ({
  ...key('action'),
  actionId: 'the-action',
  ...more,
})
const NOBODY = { by: 'key', userId: null, role: 'api' }

test('a secret key’s caller says for whom it acts; from every other kind of key the headers are not read', () => {
  assert.deepEqual(actingBy(key('secret'), HEADERS), {
    actor: { by: 'key', userId: 8, role: 'clerk' },
    scopeId: 5,
    surface: 'unknown',
  })
  assert.deepEqual(actingBy(key('secret'), {}), { actor: NOBODY, scopeId: null, surface: 'unknown' })
  const kinds = (Object.keys(KEY_PREFIXES) as KeyKind[]).filter((kind) => kind !== 'secret' && kind !== 'action')
  assert.equal(kinds.length, 8)
  for (const kind of kinds) assert.deepEqual(actingBy(key(kind), HEADERS).actor, NOBODY, kind)
})

test('an action token acts as the user whom it was bound to, or as nobody, whatever a header says', () => {
  const at = { actionId: 'the-action', role: 'api' }
  const bound = (more: { approverUserId: number; approverPersonId?: number }) => actingBy(token(more), HEADERS).actor
  assert.deepEqual(bound({ approverUserId: 4, approverPersonId: 12 }), { by: 'token', userId: 4, personId: 12, ...at })
  assert.deepEqual(bound({ approverUserId: 4 }), { by: 'token', userId: 4, personId: 0, ...at })
  assert.deepEqual(actingBy(token(), HEADERS).actor, { by: 'token', userId: null, personId: 0, ...at })
  assert.deepEqual(actingBy(token({ selfConfirm: true }), HEADERS).actor, { by: 'customer', userId: null, ...at })
  assert.deepEqual(actingBy({ ...token(), actionId: null }, {}).actor, {
    by: 'token',
    userId: null,
    personId: 0,
    ...at,
    actionId: '',
  })
})
