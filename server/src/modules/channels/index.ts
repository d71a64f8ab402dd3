// Where a workspace is told of what waits besides mail: Slack, whose buttons decide, and Teams, whose links lead to the inbox.
export { type Channels, openChannels } from './channels.ts'
export { postChannel } from './posts.ts'
export { sealedChannels } from './queries.ts'
export { type ChannelParts, channelRoutes } from './routes.ts'
export { testSlack, testTeams } from './send-test.ts'
export { readSlack, removeSlack, setSlack } from './slack/settings.ts'
export { readTeams, removeTeams, setTeams } from './teams/settings.ts'
