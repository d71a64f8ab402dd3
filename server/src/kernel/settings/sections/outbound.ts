import { section, setting } from '../setting.ts'
import { listOf, privatePlace } from '../shapes.ts'

export const outbound = section('Outbound', 'What the service may reach besides the public internet.', {
  allowedPrivate: setting(listOf(privatePlace, 'host names and private addresses or ranges'), {
    default: [],
    meaning:
      'Private hosts and networks that tool calls and events may reach, still over HTTPS. A name opens itself alone. Pictures, site checks and crawls never reach them.',
    advise: (places) =>
      places === undefined || places.length === 0
        ? undefined
        : `Every workspace can have tool calls and events sent to ${places.join(', ')}. List no more than your own endpoints need.`,
  }),
})
