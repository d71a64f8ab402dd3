import { section, setting } from '../setting.ts'
import { domain, listOf, publicUrl } from '../shapes.ts'

export const notifications = section('Notifications', 'Where workspaces are told of what waits, besides mail.', {
  slack: section('Slack', 'Messages of Slack, in which people decide.', {
    apiUrl: setting(publicUrl, {
      default: 'https://slack.com/api',
      meaning: 'Where the methods of Slack are called. Bot tokens are sent there, and nowhere else.',
    }),
  }),
  teams: section('Teams', 'Cards of Microsoft Teams, whose links lead to the inbox.', {
    hosts: setting(listOf(domain, 'domains'), {
      default: ['api.powerplatform.com', 'logic.azure.com', 'webhook.office.com'],
      meaning: 'The domains under which the workflows of Teams are. A workspace can have cards sent to no other host.',
    }),
  }),
})
