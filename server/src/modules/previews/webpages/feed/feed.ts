export type FeedEntry = {
  readonly title: string
  readonly url: string | null
  readonly summary: string
  readonly content: string
  readonly image: string | null
  readonly price: string | null
  readonly currency: string | null
  readonly availability: string | null
}

export type Feed = {
  readonly title: string
  readonly url: string | null
  readonly description: string
  readonly entries: readonly FeedEntry[]
}
