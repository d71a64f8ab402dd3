import { section, setting } from '../setting.ts'
import { flag } from '../shapes.ts'

export const work = section('Work', 'The regular work: deadlines, events, what dead processes left behind.', {
  inProcess: setting(flag, {
    default: true,
    meaning:
      'Whether a process that serves does the regular work, too; false leaves it to processes that `npm run work` starts.',
  }),
})
