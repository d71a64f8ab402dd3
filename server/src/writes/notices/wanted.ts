import type { Risk } from '@tether/contract'

/** Of which writes a person wants to be told: of all, from a risk on, or of none. */
export const WANTED = ['all', 'elevated', 'high', 'none'] as const
export type Wanted = (typeof WANTED)[number]

const FROM: Readonly<Record<Wanted, readonly Risk[]>> = {
  all: ['low', 'elevated', 'high'],
  elevated: ['elevated', 'high'],
  high: ['high'],
  none: [],
}

export const wants = (wanted: Wanted, risk: Risk): boolean => FROM[wanted].includes(risk)
