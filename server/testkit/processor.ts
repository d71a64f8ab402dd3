/**
 * How many milliseconds of processor this thread has taken. `process.cpuUsage()` is of the whole process: what collects its garbage and
 * compiles it beside this thread counts there, and holds nobody.
 */
export function processorMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
