import { section, setting } from '../setting.ts'
import { flag } from '../shapes.ts'

export const demo = section('Demo', 'The pretend shop that Development brings along.', {
  enabled: setting(flag, {
    default: true,
    meaning:
      'Whether the demo shop opens beside the service. Only in Development, and only where it listens on this machine alone.',
  }),
})
