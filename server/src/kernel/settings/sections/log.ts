import { section, setting } from '../setting.ts'
import { flag, oneOf } from '../shapes.ts'

export const log = section('Log', 'What the service writes to standard output.', {
  level: setting(oneOf('debug', 'info', 'warn', 'error', 'silent'), {
    default: 'info',
    meaning: 'The lowest level that is written.',
  }),
  format: setting(oneOf('auto', 'json', 'pretty'), {
    default: 'auto',
    meaning:
      'The format: json writes one JSON object per line, pretty writes lines for people, auto is pretty on a terminal and json elsewhere.',
  }),
  colors: setting(flag, {
    default: true,
    meaning: 'Whether pretty lines on a terminal have colours. A NO_COLOR variable that is not empty turns them off.',
    alias: { variable: 'NO_COLOR', convert: (raw) => (raw === '' ? undefined : 'false') },
  }),
})
