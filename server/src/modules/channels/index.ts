// Where a workspace is told of what waits besides mail. drivers.ts lists the channels.
export { openChannels } from './channels.ts'
export { postChannel } from './posts.ts'
export { sealedChannels } from './queries.ts'
export { channelRoutes } from './routes.ts'
