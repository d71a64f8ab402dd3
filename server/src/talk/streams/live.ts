import type { ServerEvent } from '../../kernel/http/index.ts'

/** The frames of one turn as this instance has them. */
export type Frames = {
  readonly all: string[]
  readonly waiting: Set<() => void>
  over: boolean
  /** True if the last frame is ours, because the turn was lost. */
  lost: boolean
}

export const noFrames = (): Frames => ({ all: [], waiting: new Set(), over: false, lost: false })

export function wake({ waiting }: Frames): void {
  for (const tell of waiting) tell()
  waiting.clear()
}

/** Yields past and coming frames until the turn is over or this reader leaves. */
export async function* follow(frames: Frames, after: number, reader: AbortSignal): AsyncGenerator<ServerEvent> {
  for (let index = after; ; ) {
    if (reader.aborted) return
    const data = frames.all[index]
    if (data !== undefined) yield { id: String(++index), data }
    else if (frames.over) return
    else await news(frames, reader)
  }
}

/** Resolves with the next frame, the end, or when this reader leaves. */
export async function news({ waiting }: Frames, reader: AbortSignal): Promise<void> {
  if (reader.aborted) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const leave = () => resolve()
  waiting.add(resolve)
  reader.addEventListener('abort', leave, { once: true })
  await promise
  waiting.delete(resolve)
  reader.removeEventListener('abort', leave)
}
