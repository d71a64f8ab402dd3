import type { ChatRooms } from '../../talk/chat/index.ts'
import type { Finder } from '../../talk/knowledge/index.ts'
import type { EventParts } from '../../tenancy/events/index.ts'
import type { SignupParts } from '../../tenancy/signup/index.ts'
import type { CatalogParts } from '../../tools/catalog/index.ts'
import type { ActionRooms } from '../../writes/actions/index.ts'
import type { ApprovalParts } from '../../writes/approvals/index.ts'

/** The parts of features that its verbs ask for. */
export type ConsoleRooms = ActionRooms & EventParts & Finder & ChatRooms & Pick<SignupParts, 'mail'>

/** What the app hands to the features, which may not ask each other for it. */
export type ConsoleVerbs = CatalogParts & ApprovalParts
