// One document with what real ones have and few have together: every kind of reference, anchors, styles, names in another script.
import assert from 'node:assert/strict'
import test from 'node:test'
import { atOnce } from '../../../kernel/json/index.ts'
import { openDocument } from './open-document.ts'
import { readOperations } from './operations.ts'

const DOCUMENT = `
openapi: 3.1.0
servers:
  - url: https://{region}.example.com/{base}
    variables: {region: {default: eu, enum: [eu, us]}, base: {default: v1}}
x-page: &page {name: page, in: query, schema: {type: integer}}
paths:
  /შეკვეთები/{ნომერი}:
    parameters: [{name: ნომერი, in: path, required: true, schema: {type: string}}]
    get: {operationId: შეკვეთისნახვა, parameters: [*page, {name: ენა, in: query, schema: {enum: [ქართული, english]}}]}
  /a/{id}/b: {$ref: '#/components/pathItems/ab'}
  /again/{id}:
    get:
      parameters:
        - {$ref: '#/components/pathItems/ab/parameters/0'}
        - {$ref: '#/paths/~1%E1%83%A8%E1%83%94%E1%83%99%E1%83%95%E1%83%94%E1%83%97%E1%83%94%E1%83%91%E1%83%98~1%7B%E1%83%9C%E1%83%9D%E1%83%9B%E1%83%94%E1%83%A0%E1%83%98%7D/get/parameters/1'}
        - {name: X-Trace, in: header, schema: {type: string}}
        - {name: x-trace, in: header, required: true, schema: {type: string}}
  /tree:
    post: {requestBody: {$ref: '#/components/requestBodies/Tree'}}
    put:
      requestBody:
        required: true
        content:
          application/merge-patch+json:
            schema:
              allOf:
                - {$ref: '#/components/schemas/Tree'}
                - {required: [colour], properties: {colour: {type: [string, 'null'], enum: [red, null]}, kind: {const: oak}}}
  /form:
    post:
      requestBody:
        content:
          multipart/form-data:
            schema: {required: [title], properties: {title: {type: string}, tags: {type: array, items: {type: string}}, scan: {contentMediaType: image/png}}}
            encoding: {tags: {style: form, explode: false}}
  /search?kind=fast:
    get:
      parameters:
        - {name: filter, in: query, style: deepObject, explode: true, schema: {type: object}}
        - {name: ids, in: query, style: pipeDelimited, explode: false, schema: {type: array}}
        - {name: session, in: cookie, schema: {type: string}}
        - {name: q, in: query, content: {application/json: {schema: {type: object}}}}
        - {name: $top, in: query, required: true, schema: {type: integer}}
components:
  pathItems:
    ab:
      parameters: [{name: id, in: path, required: true, schema: {enum: [one, two]}}]
      get: {summary: Reads it}
      delete: {requestBody: {content: {application/json: {schema: {properties: {why: {type: string}}}}}}}
  requestBodies:
    Tree: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Tree'}}}}
  schemas:
    Tree:
      type: object
      required: [name, id]
      properties:
        id: {type: string, readOnly: true}
        name: {type: string}
        children: {type: array, items: {$ref: '#/components/schemas/Tree'}}
        parent: {$ref: '#/components/schemas/Tree'}
`

test('a whole document in YAML: method, path, and every input with its place', async () => {
  const { operations, notes } = atOnce(readOperations(await openDocument(DOCUMENT), new Map()))
  const shown = operations.map(({ name, method, path, inputs }) => [
    name,
    `${method} ${path}`,
    inputs
      .map(({ place: { in: place, name: wire, ...how }, required }) =>
        [`${place}:${wire}${required ? '!' : ''}`, ...Object.values(how)].join(' '),
      )
      .join(', '),
  ])
  assert.deepEqual(shown, [
    ['shekvetisnakhva', 'GET /შეკვეთები/{ნომერი}', 'path:ნომერი!, query:page, query:ენა'],
    ['get_a_by_id_b', 'GET /a/{id}/b', 'path:id!'],
    ['delete_a_by_id_b', 'DELETE /a/{id}/b', 'path:id!, body:why'],
    ['get_again_by_id', 'GET /again/{id}', 'path:id!, query:ენა, header:x-trace!'],
    ['post_tree', 'POST /tree', 'body:name!, body:children, body:parent'],
    ['put_tree', 'PUT /tree', 'body:name!, body:children, body:parent, body:colour!, body:kind'],
    ['post_form', 'POST /form', 'body:title!, body:tags form false'],
    [
      'get_search_kind_fast',
      'GET /search?kind=fast',
      'query:filter deepObject, query:ids pipeDelimited, query:q application/json, query:$top!, cookie:session',
    ],
  ])
  assert.deepEqual(
    notes.map(({ code, operation }) => [code, operation]),
    [['input_left_out', 'post_form']],
  )
})
