/** Lets so many through at once, and so many a second from then on: below what the service lets one key ask. */
export function openPace({ perSecond, atOnce }: { readonly perSecond: number; readonly atOnce: number }) {
  let left = atOnce
  let countedAt = performance.now()
  const count = () => {
    const now = performance.now()
    left = Math.min(atOnce, left + ((now - countedAt) / 1000) * perSecond)
    countedAt = now
  }
  return async (): Promise<void> => {
    count()
    left -= 1
    if (left < 0) await new Promise((resolve) => setTimeout(resolve, (-left / perSecond) * 1000))
  }
}
