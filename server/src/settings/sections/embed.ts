import { section, setting } from '../setting.ts'
import { decimal, whole } from '../shapes.ts'

export const embed = section('Embed', 'The check of a page that carries the widget.', {
  checkTimeoutSeconds: setting(decimal(0.1, 60), {
    default: 8,
    meaning: 'How long the whole check may take, redirects and both addresses together.',
  }),
  checkMaxBytes: setting(whole(1024, 16_777_216), {
    default: 524_288,
    meaning: 'How much of a page is read.',
  }),
})
