// Node has WebAssembly, but its types come only with the browser's library; this is the part that is used here.
declare namespace WebAssembly {
  interface Module {
    readonly [Symbol.toStringTag]: string
  }
  function compile(bytes: Uint8Array): Promise<Module>
}
