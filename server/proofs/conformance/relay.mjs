// The suite starts this as "the client", with the address of its server last. It asks the house that the proof has open to
// be that client: a house of its own for every scenario would take a minute.
const [port, url] = [process.argv[2], process.argv.at(-1)]
const context = process.env.MCP_CONFORMANCE_CONTEXT ?? '{}'
const answer = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: JSON.stringify({ url, context }) })
process.stdout.write(await answer.text())
process.exitCode = answer.ok ? 0 : 1
