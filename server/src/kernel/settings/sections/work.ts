import { section, setting } from '../setting.ts'
import { flag } from '../shapes.ts'

export const work = section('Work', 'The regular work: deadlines, events, and what dead processes left behind.', {
  inProcess: setting(flag, {
    default: true,
    meaning:
      'Whether a process that serves also does the regular work. False leaves it to the processes of `npm run work`.',
  }),
})
