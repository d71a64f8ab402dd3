// What a page of the console is. Each stands in a file of its own, with its words in both languages, and in the table of `pages.ts`.
import type { Language } from '@tether/contract'
import type { Html } from '../../kernel/html/index.ts'
import type { RequestHead } from '../../kernel/http/index.ts'
import type { ChatRooms } from '../../talk/chat/index.ts'
import type { Finder } from '../../talk/knowledge/index.ts'
import type { ConsoleSession } from '../../tenancy/access/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import type { EventParts } from '../../tenancy/events/index.ts'
import type { SignupParts } from '../../tenancy/signup/index.ts'
import type { CatalogParts } from '../../tools/catalog/index.ts'
import type { ActionRooms } from '../../writes/actions/index.ts'
import type { ApprovalParts } from '../../writes/approvals/index.ts'
import type { waitingNow } from '../../writes/decisions/index.ts'
import type { Form } from '../kit/index.ts'

/** Who looks: somebody who asks with a secret key, or the owner. Every verb is called with their context and nothing else. */
export type Reader = {
  readonly ctx: Context
  readonly session: ConsoleSession
  readonly language: Language
  /** What waits for a decision: asked once, however many parts of a page say it. */
  readonly waiting: () => ReturnType<typeof waitingNow>
  /** Stands in every form, and is of this session alone. */
  readonly formToken: string
}

/** What a form came to, above that form. */
export type After = {
  /** The form's name. */
  readonly form: string
  readonly good: boolean
  readonly note: Html
  /** What was typed, which stays. Never a secret. */
  readonly typed: Form
}

export type Asked = {
  /** Where the page is, without its query. */
  readonly at: string
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string | undefined>>
  readonly after: After | null
}

export type Shown = {
  readonly title: string
  readonly body: Html
  readonly status?: number
  /** What is waited for: the script of the page asks there how far it is, and without scripts the page loads itself again. */
  readonly watch?: `/console/${string}`
}

/** `done` leads back to the page, where `said` stands above the form; `shown` is the page at once, with what is shown only now. */
export type Outcome =
  | { readonly kind: 'done'; readonly to?: string }
  | { readonly kind: 'shown'; readonly good: boolean; readonly note: Html; readonly once?: boolean }
  | { readonly kind: 'left'; readonly to: string }

/** For the script of the page, which reads what a form tells while it is at work. */
export type Tell = (told: Readonly<Record<string, string>>) => void

export type Posted = {
  readonly form: Form
  readonly tell: Tell
  readonly params: Readonly<Record<string, string>>
  readonly head: RequestHead
}
export type Take = (reader: Reader, posted: Posted) => Promise<Outcome>

export type Group = 'run' | 'setup' | 'people' | 'try'

export type PageFile = {
  readonly type: string
  readonly content: string
  /** It stands in a frame of our own page, and is not saved. */
  readonly isShown?: boolean
}

/** Any text, which its verb may refuse; one of these values; or what has this form. */
export type Asks = 'text' | readonly string[] | RegExp

export type Page = {
  readonly path: `/console${string}`
  readonly name: Readonly<Record<Language, string>>
  /** Under which heading it stands in the menu; a page without one is reached from another. */
  readonly group: Group | null
  /** Its place under that heading. */
  readonly order?: number
  /** Whether the assistant can answer from what this page has set up. */
  readonly hasAnswers?: (ctx: Reader['ctx']) => Promise<boolean>
  /** What its address may ask, by name. */
  readonly asks?: Readonly<Record<string, Asks>>
  /** Of its forms, in bytes, where that is more than a mebibyte. */
  readonly bodyLimit?: number
  readonly show: (reader: Reader, asked: Asked) => Promise<Shown>
  /** Its files by name, under the page's address: they ask what the page asks. */
  readonly files?: Readonly<Record<string, (reader: Reader, query: Asked['query']) => Promise<PageFile>>>
  /** The form that is read as it comes where the page has its script. It leads nowhere else. */
  readonly tells?: string
  /** The fields of its forms that hold secrets, which are kept nowhere. */
  readonly secrets?: readonly string[]
  /** Its forms by name, each sent to the page's address and its name. */
  readonly forms?: Readonly<Record<string, Take>>
}

/** Words in both languages, of one shape. */
export type Words<Shape> = Readonly<Record<Language, Shape>>

/** The parts of features that its verbs ask for. */
export type ConsoleRooms = ActionRooms & EventParts & Finder & ChatRooms & Pick<SignupParts, 'mail'>

/** What the app hands to the features, which may not ask each other for it. */
export type ConsoleVerbs = CatalogParts & ApprovalParts
