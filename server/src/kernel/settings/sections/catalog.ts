import { section, setting } from '../setting.ts'
import { whole } from '../shapes.ts'

export const catalog = section('Catalog', 'The tools that workspaces register.', {
  keepBytes: setting(whole(33_554_432, 1_099_511_627_776), {
    default: 67_108_864,
    meaning:
      'How many bytes of catalogs of one workspace are stored. Beyond that, documents of old versions are deleted, the oldest first; that they were registered stays known.',
  }),
})
