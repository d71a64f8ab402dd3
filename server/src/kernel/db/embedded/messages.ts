/** What the worker starts with. */
export type WorkerStart = {
  /** The cluster's directory; undefined keeps it in memory. */
  readonly cluster: string | undefined
  /** A file that a cluster was dumped to. A new cluster starts from it. */
  readonly snapshot: string | undefined
  /** The engine as an earlier worker of this process compiled it. */
  readonly program: WebAssembly.Module | undefined
}

export type ToWorker =
  | { readonly kind: 'batch'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'dump'; readonly file: string }
  | { readonly kind: 'close' }

export type FromWorker =
  | { readonly kind: 'ready'; readonly program: WebAssembly.Module }
  | { readonly kind: 'answer'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'dumped' }
  /** The engine can no longer be trusted, and the worker ends itself. */
  | { readonly kind: 'broken'; readonly reason: string }
