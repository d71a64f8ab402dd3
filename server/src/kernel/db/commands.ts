// Quoted text, names, dollar-quoted bodies and comments may contain a semicolon. Nested comments and `begin atomic` bodies are not supported.
const OPAQUE_OR_END =
  /--[^\n]*|\/\*[\s\S]*?\*\/|\b[eE]'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$((?:[A-Za-z_]\w*)?)\$[\s\S]*?\$\1\$|;/g

/** Splits a script after each command. Joined together, the parts are the script without blanks at its end. */
export function splitCommands(script: string): string[] {
  const ends = [...script.matchAll(OPAQUE_OR_END)].filter(([found]) => found === ';').map(({ index }) => index + 1)
  const parts = [0, ...ends].map((start, at) => script.slice(start, ends[at]))
  return parts.filter((part) => part.trim() !== '')
}
