import { createInterface } from 'node:readline/promises'
import type { Surroundings } from './surroundings.ts'

/** Asks a person. Null where there is nobody to ask. */
export async function askPerson({ stdin, stderr }: Surroundings, question: string): Promise<string | null> {
  if (stdin.isTTY !== true || stderr.isTTY !== true) return null
  const lines = createInterface({ input: stdin, output: stderr })
  try {
    return await lines.question(question)
  } finally {
    lines.close()
  }
}

/** Asks for a secret, which is not shown as it is typed. */
export async function askSecret(surroundings: Surroundings, question: string): Promise<string | null> {
  const { stdin, stderr } = surroundings
  if (stdin.isTTY !== true || stderr.isTTY !== true) return null
  stderr.write(question)
  stdin.setRawMode(true)
  stdin.setEncoding('utf8')
  stdin.resume()
  let typed = ''
  try {
    for await (const piece of stdin) {
      for (const letter of String(piece)) {
        if (letter === '\r' || letter === '\n') return typed
        if (letter === '\u0003' || letter === '\u0004') return null
        typed = letter === '\u007f' ? typed.slice(0, -1) : typed + letter
      }
    }
    return typed
  } finally {
    stdin.setRawMode(false)
    stdin.pause()
    stderr.write('\n')
  }
}
