import assert from 'node:assert/strict'
import test from 'node:test'
import { jsonOfYaml } from './yaml.ts'

function read(text: string): unknown {
  const found = jsonOfYaml(text)
  assert.ok('json' in found, 'fault' in found ? found.fault : '')
  return JSON.parse(found.json)
}

function fault(text: string): string {
  const found = jsonOfYaml(text)
  assert.ok('fault' in found)
  return found.fault
}

test('a bracket may be closed below the word that opened it, as people write it', () => {
  const text = [
    'paths:',
    '  /ports:',
    '    get:',
    '      example: {',
    '        "80/tcp": [',
    '        ],',
    '        "443/tcp": {}',
    '      }',
    '      description: |',
    '        An answer is',
    '        {',
    '          "a": [',
    '          1',
    '        ]',
    '        }',
    '      list: [',
    '        a,',
    '        b',
    '      ]',
    '      script: >- # folded',
    '        [',
    '        }',
    'tags: [',
    '  {name: one}',
    ']',
  ]
  const expected = {
    paths: {
      '/ports': {
        get: {
          example: { '80/tcp': [], '443/tcp': {} },
          description: 'An answer is\n{\n  "a": [\n  1\n]\n}\n',
          list: ['a', 'b'],
          script: '[ }',
        },
      },
    },
    tags: [{ name: 'one' }],
  }
  assert.deepEqual(read(text.join('\n')), expected)
  assert.deepEqual(read(text.join('\r\n')), expected)
  assert.match(fault('a:\n  b: [\n  1\n]'), /deficient indentation/)
})

test('anchors are read where they stand for little: aliases and merges', () => {
  const text = [
    'x-common: &common',
    '  parameters: &list [{name: shop, in: query}]',
    'get:',
    '  <<: *common',
    '  operationId: get_it',
    'put:',
    '  parameters: *list',
  ]
  const parameters = [{ name: 'shop', in: 'query' }]
  assert.deepEqual(read(text.join('\n')), {
    'x-common': { parameters },
    get: { parameters, operationId: 'get_it' },
    put: { parameters },
  })
})

test('aliases that stand for too much are refused before they are written out', () => {
  const bomb = ['a0: &a0 [1,1,1,1,1,1,1,1,1,1]']
  for (let at = 1; at < 30; at++)
    bomb.push(
      `a${at}: &a${at} [${Array(10)
        .fill(`*a${at - 1}`)
        .join(',')}]`,
    )
  assert.match(fault(bomb.join('\n')), /aliases stand for more than 500000 values/)
  const chain = ['a0: &a0 {}']
  for (let at = 1; at < 200; at++) chain.push(`a${at}: &a${at} {b: *a${at - 1}}`)
  assert.match(fault(chain.join('\n')), /nest deeper than 128/)
  assert.match(fault('a: &a [*a]'), /or for themselves|unidentified alias/)
  assert.match(fault(`a: &a 1\nb: [${'*a,'.repeat(10_001)}1]`), /alias/)
})

test('numbers stay as they were written, and what JSON does not have stays text', () => {
  const text = 'a: 9007199254740993\nb: 0.10\nc: 2024-05-01\nd: NO\ne: .inf\nf: "1"\n__proto__: {g: 1}\n1: h\nnull: i'
  const found = jsonOfYaml(text)
  assert.deepEqual(found, {
    json: '{"1":"h","a":9007199254740993,"b":0.1,"c":"2024-05-01","d":"NO","e":".inf","f":"1","__proto__":{"g":1},"null":"i"}',
  })
})
