// A provider of embeddings that a test writes: what it answers for each text, how late, and how often it fails.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type EmbeddingAsked = { readonly model: string; readonly input: readonly string[]; readonly dimensions?: number }

export type EmbeddingServer = {
  readonly url: string
  readonly asked: readonly EmbeddingAsked[]
  /** The key that the last request carried. */
  readonly key: string | undefined
  /** From now on it answers this status, or nothing at all; null for vectors. */
  fail(how: number | 'silent' | null): void
  /** Resolves when so many texts were asked, or rejects after the limit. */
  askedTexts(count: number, limitMs?: number): Promise<readonly string[]>
  close(): Promise<void>
}

/** `vectorOf` gives each text its vector; a token is a word. */
export async function openEmbeddingServer(
  vectorOf: (text: string, asked: EmbeddingAsked) => readonly number[],
): Promise<EmbeddingServer> {
  const asked: EmbeddingAsked[] = []
  let failing: number | 'silent' | null = null
  let key: string | undefined
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const body = JSON.parse(Buffer.concat(pieces).toString()) as EmbeddingAsked
    asked.push(body)
    key = request.headers.authorization
    if (failing === 'silent') return
    response.setHeader('content-type', 'application/json')
    if (failing !== null) {
      response.writeHead(failing).end(JSON.stringify({ error: { message: 'not now' } }))
      return
    }
    const data = body.input.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text, body) }))
    const tokens = body.input.reduce((sum, text) => sum + text.split(/\s+/).length, 0)
    // Not in order: a provider need not keep it.
    response.end(
      JSON.stringify({ object: 'list', data: data.reverse(), model: body.model, usage: { prompt_tokens: tokens } }),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    get key() {
      return key
    },
    fail(how) {
      failing = how
    },
    async askedTexts(count, limitMs = 60_000) {
      const startedAt = performance.now()
      for (;;) {
        const texts = asked.flatMap(({ input }) => input)
        if (texts.length >= count) return texts
        if (performance.now() - startedAt > limitMs) throw new Error(`${texts.length} of ${count} texts were asked.`)
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
