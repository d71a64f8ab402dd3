import { section, setting } from '../setting.ts'
import { decimal, whole } from '../shapes.ts'

export const embed = section('Embed', 'How a page with the widget is checked.', {
  checkTimeoutSeconds: setting(decimal(0.1, 60), {
    default: 8,
    meaning: 'How long the whole check may take, including redirects and the same site with or without www.',
  }),
  checkMaxBytes: setting(whole(1024, 67_108_864), {
    default: 524_288,
    meaning: 'The most bytes that are read of a page. The check judges those, and reports that a larger page was cut.',
  }),
})
