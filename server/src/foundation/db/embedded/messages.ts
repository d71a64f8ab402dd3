/** What the worker is started with. */
export type WorkerStart = {
  /** Where the cluster lives; undefined keeps it in memory. */
  readonly cluster: string | undefined
  /** A file that a cluster was dumped to; a new one starts from it. */
  readonly snapshot: string | undefined
  /** The engine, already compiled by an earlier worker of this process. */
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
  /** The engine is not to be trusted any more; the worker ends itself. */
  | { readonly kind: 'broken'; readonly reason: string }
