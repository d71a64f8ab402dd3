/** The result of work, or undefined where it takes longer. The work itself goes on. */
export async function inTime<Result>(milliseconds: number, work: Promise<Result>): Promise<Result | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(resolve, milliseconds, undefined)
  return await Promise.race([work, late]).finally(() => clearTimeout(timer))
}
