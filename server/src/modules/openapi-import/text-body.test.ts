// An operation whose body is a text: a model writes it whole, a person reads it, and the API receives it to the byte.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import type * as contract from '@tether/contract'
import type { z } from 'zod'
import { type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { answer, PretendApi } from '../../../testkit/pretend-api.ts'
import { importCalls } from './fixtures/import-calls.ts'
import { openApiImport } from './module.ts'

type Staged = z.output<typeof contract.StageAnswer>
type Confirmed = z.output<typeof contract.ConfirmAnswer>
type Detail = z.output<typeof contract.ActionDetail>

const api = new PretendApi()
let house: OpenHouse
const calls = importCalls(() => house)
before(async () => {
  house = await openHouse({ modules: [openApiImport] })
})
after(async () => {
  await house.close()
  await api.stop()
})

const noteBody = {
  required: true,
  description: 'The note, as the customer will read it.',
  content: { 'text/plain': { schema: { type: 'string', maxLength: 40 }, example: 'We will call you.' } },
}
const DOCUMENT = {
  openapi: '3.1.0',
  paths: {
    '/orders/{number}/note': {
      put: {
        operationId: 'put_note',
        description: 'Writes the note of an order that its customer reads.',
        requestBody: noteBody,
      },
      parameters: [{ name: 'number', in: 'path', required: true, schema: { type: 'string' } }],
    },
  },
}

test('a required text body is an argument that cannot be left out, and is sent as it was approved', async () => {
  const { apiKey } = await house.tenant()
  const baseUrl = await api.start()
  const draft = await calls.send(apiKey, { document: DOCUMENT, baseUrl })
  assert.deepEqual(draft.body.notes, [])
  assert.deepEqual(draft.body.operations?.[0]?.parameters.at(-1), {
    name: 'body',
    in: 'body',
    required: true,
    type: 'string',
    description: 'The note, as the customer will read it.',
  })
  const declared = (put_note: object) => calls.send(apiKey, { document: DOCUMENT, baseUrl, operations: { put_note } })
  for (const change of [{ omit: true }, { required: false }]) {
    const refused = await declared({ is_write: true, parameters: { body: change } })
    assert.equal(refused.body.imported, false, JSON.stringify(change))
    assert.match(refused.body.error ?? '', /body/)
  }
  const imported = await declared({ is_write: true })
  assert.equal(imported.status, 200, imported.text)
  const [tool] = imported.body.catalog as Record<string, Record<string, unknown>>[]
  assert.deepEqual([tool?.http?.body, tool?.http?.mediaType], ['json', 'text/plain; charset=utf-8'])
  assert.equal((await calls.register(apiKey, imported.body.catalog)).status, 200)

  const stage = (body?: unknown) =>
    house.ask<Staged>('POST', '/v1/actions', {
      key: apiKey,
      body: { tool: 'put_note', arguments: { number: 'A-1', ...(body === undefined ? {} : { body }) } },
    })
  for (const unfit of [undefined, null, 5, { a: 1 }, 'x'.repeat(41)])
    assert.equal((await stage(unfit)).status, 400, JSON.stringify(unfit))
  const note = '"ხვალ" დაგირეკავთ,\n{"not": json}'
  const { actionId } = (await stage(note)).body
  const { requestPreview } = (await house.ask<Detail>('GET', `/v1/actions/${actionId}`, { key: apiKey })).body
  assert.equal((requestPreview as { body: unknown }).body, note)
  const seen = api.play((_call, response) => answer(response, 200, { saved: true }))
  const confirmed = await house.ask<Confirmed>('POST', `/v1/actions/${actionId}/confirm`, {
    key: apiKey,
    headers: { 'x-service-user-id': '7' },
    body: {},
  })
  assert.equal(confirmed.body.status, 'Executed')
  assert.deepEqual(
    seen.map(({ method, headers, text }) => [method, headers['content-type'], text]),
    [['PUT', 'text/plain; charset=utf-8', note]],
  )
})

test('Swagger 2.0 has texts as well, a text is the last choice, and one that is no text is still left out', async () => {
  const { apiKey } = await house.tenant()
  const body = { name: 'note', in: 'body', required: true, schema: { type: 'object' } }
  const post = (consumes: string[]) => ({ post: { consumes, parameters: [body] } })
  const paths = {
    '/text': post(['text/markdown']),
    '/json': post(['text/plain', 'application/json']),
    '/picture': post(['image/png']),
  }
  const { body: draft } = await calls.send(apiKey, {
    document: { swagger: '2.0', paths },
    baseUrl: 'https://shop.example',
  })
  assert.deepEqual(
    draft.operations?.map(({ path, parameters }) => [path, parameters.map(({ name, type }) => [name, type])]),
    [
      ['/text', [['body', 'string']]],
      ['/json', [['body', 'object']]],
      ['/picture', []],
    ],
  )
  assert.deepEqual(
    draft.notes?.map(({ code }) => code),
    ['body_left_out'],
  )
})
