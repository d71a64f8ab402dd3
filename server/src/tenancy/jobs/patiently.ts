import { isUnavailable } from '../../kernel/db/index.ts'
import type { Context } from '../context/index.ts'

/**
 * What was performed must be recorded, so a database that is away for a moment is tried again. This is safe: an outcome is
 * guarded by its claim, and recording the same one twice changes nothing. When the tries are spent, the lease makes the
 * action indeterminate.
 */
export async function patiently<Result>({ clock }: Context, record: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await record()
    } catch (error) {
      if (attempt === 5 || !isUnavailable(error)) throw error
      await clock.wait(200 * 2 ** attempt)
    }
  }
}
