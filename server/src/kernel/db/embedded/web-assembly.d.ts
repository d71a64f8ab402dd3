// Node has WebAssembly, but its types come only with the browser's library. This is the part that we use.
declare namespace WebAssembly {
  interface Module {
    readonly [Symbol.toStringTag]: string
  }
  function compile(bytes: Uint8Array): Promise<Module>
}
