import type { ActionRooms } from '../../features/actions/index.ts'
import type { ChatRooms } from '../../features/chat/index.ts'
import type { EventParts } from '../../features/events/index.ts'
import type { SignupParts } from '../../features/signup/index.ts'

/** The parts of features that its verbs ask for. */
export type ConsoleRooms = ActionRooms & EventParts & Pick<ChatRooms, 'models'> & Pick<SignupParts, 'mail'>
