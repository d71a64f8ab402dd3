export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Whether it came true in time. */
export async function until(isSo: () => boolean | Promise<boolean>, withinMs: number): Promise<boolean> {
  const end = Date.now() + withinMs
  while (!(await isSo())) {
    if (Date.now() > end) return false
    await pause(50)
  }
  return true
}
