import * as contract from '@tether/contract'
import type { z } from 'zod'
import { refuse } from '../../../kernel/http/index.ts'
import type { Checked, DriverSettings } from '../driver.ts'
import { isTeamsHost, type TeamsSecrets } from './send.ts'

export const teamsSettings: DriverSettings<TeamsSecrets, typeof contract.TeamsRequest> = {
  request: contract.TeamsRequest,
  view: contract.TeamsChannel,
  docs: {
    read: { summary: 'Where writes are posted in Teams' },
    set: {
      summary: 'Post writes that wait in Teams',
      description: 'Each as a card with a link to the inbox, and how it ended as another. Nothing in a card decides.',
      errors: ['invalid_endpoint'],
      example: { body: { url: 'https://prod-00.westeurope.logic.azure.com/workflows/0/triggers/manual/paths/invoke' } },
    },
    remove: { summary: 'Post nothing more in Teams' },
    test: { summary: 'Send a card to Teams, to see it arrive' },
  },
  /** The address is a credential: whoever has it can post. Its host alone is shown. */
  describe: (_ctx, row): Pick<z.output<typeof contract.TeamsChannel>, 'host'> => ({ host: row?.place ?? null }),
  async check(ctx, asked): Promise<Checked<TeamsSecrets>> {
    const checked = await ctx.egress.checkAddress(asked.url.trim(), { noun: 'Workflow', purpose: 'notice' })
    if (!checked.ok && checked.reason === 'address') throw refuse('invalid_endpoint', checked.message)
    if (!isTeamsHost(ctx.settings, checked.url)) {
      const hosts = ctx.settings.notifications.teams.hosts.join(', ')
      throw refuse(
        'invalid_endpoint',
        `A workflow of Teams is under one of these domains: ${hosts}. Copy its address from the trigger “When a Teams webhook request is received”.`,
      )
    }
    return { place: new URL(checked.url).hostname, teamId: null, secrets: { url: checked.url } }
  },
}
