// Reads the arguments of a command, and says what is wrong with them.

/** The arguments name nothing that the command can do. */
export class Unusable extends Error {}

export const complain = (line: string): void => void process.stderr.write(`${line}\n`)
export const say = (line: string): void => void process.stdout.write(`${line}\n`)

/** Ends the process where `read` finds that only the usage was asked for (it returns undefined), or throws. */
export function askedOrExit<Asked>(usage: string, read: () => Asked | undefined): Asked {
  try {
    const asked = read()
    if (asked !== undefined) return asked
    complain(usage)
    process.exit(0)
  } catch (error) {
    complain(`${(error as Error).message}\n\n${usage}`)
    process.exit(2)
  }
}

export function numberOf(name: string, text: string, most = 2 ** 31 - 1): number {
  const number = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : 0
  if (number < 1 || number > most) throw new Unusable(`${name} takes a whole number from 1 to ${most}, not "${text}".`)
  return number
}
