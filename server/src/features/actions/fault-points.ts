/** The moments at which a crash would hurt most. */
export const FAULT_POINTS = [
  'before_claim',
  'after_claim',
  'before_send',
  'before_outcome',
  'after_outcome',
  'after_verify',
] as const
export type FaultPoint = (typeof FAULT_POINTS)[number]

/** Nothing happens here in service; a proof puts a crash in its place. */
export type Faults = { at(point: FaultPoint): Promise<void> }

export const noFaults: Faults = { at: async () => {} }
