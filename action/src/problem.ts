/** What went wrong, and what to do about it. What others said is never a part of our own sentences. */
export type Problem = {
  readonly what: string
  /** As a server or a file has it. */
  readonly said?: string
  readonly next: string
}

/** Ends what was going on; the rest of the step goes on. */
export class Failed extends Error {
  override readonly name = 'Failed'
  readonly problem: Problem

  constructor(problem: Problem) {
    super(problem.what)
    this.problem = problem
  }
}

export async function orProblem<T>(going: () => Promise<T>, problems: Problem[]): Promise<T | null> {
  try {
    return await going()
  } catch (error) {
    if (!(error instanceof Failed)) throw error
    problems.push(error.problem)
    return null
  }
}
