// Where a workspace is told of what waits besides mail. drivers.ts lists the channels.
export { openChannels } from './channels.ts'
export { postChannel } from './posts.ts'
export { channelRoutes } from './routes.ts'
export { resealChannels } from './secrets.ts'
