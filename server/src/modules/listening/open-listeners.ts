import type { House } from '../../tenancy/context/index.ts'
import { type Listeners, openOwnListeners } from './listeners.ts'
import { openSharedListeners } from './shared-listeners.ts'

/** `shared`: whether other instances use the database, too, so that a listener may be waiting at any of them. */
export const openListeners = (house: Pick<House, 'db' | 'keyring' | 'log'>, shared: boolean): Listeners =>
  shared ? openSharedListeners(house) : openOwnListeners()
