import type { Calls, StageWrite } from '../calls/index.ts'
import type { Catalogs } from '../catalog/index.ts'
import { stageChecked } from './direct-stage.ts'
import { stageKeyOf } from './stage-key.ts'

/** What `POST /v1/tools/{name}/call` does with a write, once it has looked at its tool and its arguments. */
export const openStageCall =
  ({ catalogs, calls }: { readonly catalogs: Catalogs; readonly calls: Calls }): StageWrite =>
  async (ctx, tool, given, head) =>
    stageChecked(ctx, calls, {
      tool,
      arguments: given,
      catalog: await catalogs.of(ctx),
      source: 'POST /v1/tools/{name}/call',
      stageKey: stageKeyOf(head),
    })
