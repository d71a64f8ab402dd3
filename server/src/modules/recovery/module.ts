import { defineModule } from '../../module.ts'

export const recovery = defineModule({
  name: 'recovery',
  commands: { recover: async (...given) => (await import('./command.ts')).recoverWrites(...given) },
})
