import assert from 'node:assert/strict'
import test from 'node:test'
import { openHouse } from '../../../testkit/house.ts'
import { SecretUnreadable } from '../../kernel/crypto/index.ts'
import { statement } from '../../kernel/db/index.ts'
import { openSigner } from './signer.ts'

const sealed = statement<{ secret: string }, { tenantId: number }>(
  'test.sealed_secret',
  'select signing_secret as secret from tenants where tenant_id = $tenantId::int',
)

test('a sealed secret opens in its own row only, also when it was opened there before', async () => {
  await using house = await openHouse()
  const { tenantId } = await house.tenant()
  const sealedSigningSecret = (await house.database.database.one(sealed, { tenantId }))?.secret ?? ''
  const sign = openSigner(house.app.house)
  const copied = { sealedSigningSecret, sealedPreviousSecret: null }
  assert.ok(sign({ ...copied, tenantId }, 'req_1', '{}'))
  assert.throws(() => sign({ ...copied, tenantId: tenantId + 1 }, 'req_1', '{}'), SecretUnreadable)
})
