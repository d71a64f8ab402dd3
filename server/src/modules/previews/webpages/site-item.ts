/** Something that the site lists. Nothing of it is inferred: what the page does not state is null. */
export type SiteItem = {
  readonly url: string
  readonly name: string
  readonly description: string | null
  /** As the page states it. */
  readonly price: string | null
  readonly currency: string | null
  readonly availability: string | null
  readonly image: string | null
  readonly from: 'json-ld' | 'microdata' | 'next-data' | 'public-json' | 'feed'
}
