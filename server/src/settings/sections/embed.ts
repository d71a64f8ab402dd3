import { section, setting } from '../setting.ts'
import { decimal, whole } from '../shapes.ts'

export const embed = section('Embed', 'How the check of a page with the widget reads it.', {
  checkTimeoutSeconds: setting(decimal(0.1, 60), {
    default: 8,
    meaning: 'How long the whole check may take, redirects and the other of www. and the bare domain included.',
  }),
  checkMaxBytes: setting(whole(1024, 67_108_864), {
    default: 524_288,
    meaning: 'The largest page in bytes; of a larger one the check says that it was not read.',
  }),
})
