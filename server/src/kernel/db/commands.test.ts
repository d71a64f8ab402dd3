import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { readMigrations, splitCommands } from './index.ts'

test('splits a script at the end of each command, and nowhere else', () => {
  const commands = [
    "insert into shops values ('a;b', 'it''s; here', e'\\';');",
    '\n-- a comment; with a semicolon\ncreate table "odd;name" (id integer);',
    '\ndo $$ begin perform 1; end $$;',
    '\ncreate function f() returns text language sql as $body$ select $$;$$; $body$;',
    '\n/* one; two */ select $1',
  ]
  assert.deepEqual(splitCommands(commands.join('')), commands)
  assert.deepEqual(splitCommands(`${commands.join('')};\n\n`), [...commands.slice(0, -1), `${commands.at(-1)};`])
  assert.deepEqual(splitCommands(' \n'), [])
})

test('each part of our migrations begins with a command', async () => {
  const { files: migrations } = await readMigrations(fileURLToPath(new URL('../../../migrations', import.meta.url)))
  const parts = migrations.flatMap(({ text }) => splitCommands(text))
  assert.ok(parts.length > migrations.length)
  const opening =
    /^(?:\s|--[^\n]*)*(alter|comment|create|delete|do|drop|grant|insert|lock|revoke|select|set|update|with)\b/
  assert.deepEqual(
    parts.filter((part) => !opening.test(part)),
    [],
  )
})
