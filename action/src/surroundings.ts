/** What a process has, so that a step reads nothing else of it. */
export type Surroundings = {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdout: { write(text: string): unknown }
  readonly fetch: typeof fetch
  readonly wait: (ms: number) => Promise<void>
}
