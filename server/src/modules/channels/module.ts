import { defineModule } from '../../module.ts'
import { channelsPage } from './console/index.ts'
import { channelRoutes, openChannels, postChannel, resealChannels } from './index.ts'

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
