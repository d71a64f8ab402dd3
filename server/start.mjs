// Plain JavaScript, so that an old Node can read it and say what is missing.
const major = Number(process.versions.node.split('.')[0])
if (major < 24) {
  process.stderr.write(
    `Tether needs Node 24 or newer, and this is ${process.version}.\n` +
      'On Linux (x64, arm64) `npm ci` brings Node 24 along: run the service with `npm start`.\n' +
      'On another system install Node 24 first: https://nodejs.org/\n',
  )
  process.exit(1)
}
await import('./src/main.ts')
