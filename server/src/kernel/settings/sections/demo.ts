import { section, setting } from '../setting.ts'
import { flag } from '../shapes.ts'

export const demo = section('Demo', 'The demo shop that comes with Development.', {
  enabled: setting(flag, {
    default: true,
    meaning:
      'Whether the demo shop opens beside the service. It only does in Development, and only if the service listens on this machine alone.',
  }),
})
