// The process runs one command, which lives as long as the process does.
const COMMANDS = {
  serve: async () => (await import('./process/serve.ts')).serve(process.argv.slice(3)),
  work: async () => (await import('./process/work.ts')).work(),
  migrate: async () => (await import('./process/migrate.ts')).migrateDatabase(),
  settings: async () => (await import('./process/settings.ts')).printSettings(),
  'rotate-encryption': async () => (await import('./process/rotate-encryption.ts')).rotateEncryption(),
  'audit-archive': async () => (await import('./process/audit-archive.ts')).archiveAudit(process.argv.slice(3)),
  'audit-verify': async () => {
    const { verifyAudit } = await import('./process/audit-verify.ts')
    process.exitCode = await verifyAudit(process.argv.slice(3))
  },
}

const name = process.argv[2] ?? 'serve'
const command = COMMANDS[name as keyof typeof COMMANDS]
if (command === undefined)
  await (await import('./process/module-command.ts')).runModuleCommand(name, Object.keys(COMMANDS))
else await command()
