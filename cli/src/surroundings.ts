/** What a process has, so that a command reads nothing else of it. */
export type Surroundings = {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
  readonly on: (signal: 'SIGINT' | 'SIGTERM', listener: () => void) => unknown
}
