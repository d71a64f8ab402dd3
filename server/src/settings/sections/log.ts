import { section, setting } from '../setting.ts'
import { flag, oneOf } from '../shapes.ts'

export const log = section('Log', 'What the service writes to its standard output.', {
  level: setting(oneOf('debug', 'info', 'warn', 'error', 'silent'), {
    default: 'info',
    meaning: 'The least important level that is written.',
  }),
  format: setting(oneOf('auto', 'json', 'pretty'), {
    default: 'auto',
    meaning: 'One JSON object per line, or lines for people; auto is pretty on a terminal and JSON elsewhere.',
  }),
  colors: setting(flag, {
    default: true,
    meaning: 'Colours in pretty lines on a terminal; a NO_COLOR variable that is not empty turns them off.',
    alias: { variable: 'NO_COLOR', convert: (raw) => (raw === '' ? undefined : 'false') },
  }),
})
