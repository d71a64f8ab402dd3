import assert from 'node:assert/strict'
import test from 'node:test'
import { answerFaults } from './sizes.ts'

const VERB = 'server/src/writes/actions/list.ts'
// The path stands apart from its import, so that a search for this file's own imports does not find it.
const importing = (what: string, path = '../../kernel/http/index.ts'): string => `import ${what} from '${path}'\n`
const one = importing('type { Answer }')
const many = importing('{\n  type Answer,\n  refuse,\n}', '../../../kernel/http/index.ts')

test('a verb that imports an HTTP answer is told, however it imports it', () => {
  for (const text of [one, many, `${importing('{ refuse }')}${one}`])
    assert.equal(answerFaults(VERB, text).length, 1, text)
  assert.equal(answerFaults('server/src/talk/chat/request/answer.ts', many).length, 1)
  assert.equal(answerFaults('server/src/writes/audit/list.ts', many).length, 1)
})

test('routes and their answers may, and so may whatever is no verb; a refusal is for everybody', () => {
  for (const path of [
    'server/src/writes/actions/routes.ts',
    'server/src/writes/actions/answers.ts',
    'server/src/talk/chat/feedback/routes.ts',
    'server/src/tenancy/access/route.ts',
    'server/src/pages/links/index.ts',
    'server/src/kernel/http/server.ts',
  ])
    assert.deepEqual(answerFaults(path, one), [], path)
  const others = importing('{ refuse }') + importing('type { Answer }', './mine.ts')
  assert.deepEqual(answerFaults(VERB, others), [])
})
