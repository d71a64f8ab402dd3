// The capabilities that modules offer to the core.

import type { ClosableModel } from './kernel/model/index.ts'
import type { ChatRooms, Retrieval } from './talk/chat/index.ts'
import type { House } from './tenancy/context/index.ts'
import type { AnyMailKind } from './tenancy/mail/index.ts'
import type { SignupParts } from './tenancy/signup/index.ts'
import type { ApiOf, Transport } from './tools/calls/index.ts'
import type { CatalogParts } from './tools/catalog/index.ts'
import type { Channel } from './writes/notices/index.ts'

/** An offer opens nothing itself. */
export type Offers = {
  readonly tools?: ToolSource
  /** Finds passages for an answer beside those of the documents. */
  readonly passages?: (house: House, documents: Retrieval) => Retrieval
  /** Notifies people of waiting writes by another way than mail. */
  readonly notices?: Channel
  readonly mails?: readonly AnyMailKind[]
  /** Checks and counts the turns of a sandbox. */
  readonly sandboxes?: ChatRooms['sandboxes']
  /** Reads the content that the module sealed into a mailed link. */
  readonly openClaim?: NonNullable<SignupParts['openClaim']>
  /** Answers where no provider of models is set up. */
  readonly model?: () => ClosableModel
}

/** Tools that a business does not register by hand. */
export type ToolSource = Partial<Pick<CatalogParts, 'importOf' | 'declaredUpstream'>> & {
  /** The API that tools with an operation are called at. */
  readonly apiOf?: ApiOf
  /** How tools of an MCP server are called. */
  readonly proxy?: Transport
}

/** Takes the place of parts when routes are described without being opened. Every member of it is itself, and a call throws. */
export const UNOPENED: unknown = new Proxy(() => undefined, {
  get: () => UNOPENED,
  apply() {
    throw new Error('These routes are described only. Open the app to call them.')
  },
})
