import { defineModule } from '../../module.ts'
import { openChannels } from './channels.ts'
import { channelsPage } from './console/index.ts'
import { postChannel } from './posts.ts'
import { channelRoutes } from './routes.ts'
import { resealChannels } from './secrets.ts'

export const channels = defineModule({
  name: 'channels',
  offers: () => ({ notices: postChannel }),
  sealed: [resealChannels],
  open({ house, rooms, spends }) {
    const opened = openChannels(house, rooms)
    return { parts: { channels: opened, prove: spends.signed }, jobs: opened.duties, settled: opened.settled }
  },
  routes: channelRoutes,
  pages: () => [channelsPage()],
})
