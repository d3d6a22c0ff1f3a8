/** Made by build/contract-plugin.ts out of the contract's route table. */
declare module 'virtual:contract-routes' {
  export const routes: Readonly<
    Record<string, { readonly method: string; readonly path: string; readonly raw?: string }>
  >
}

/** RFC 3492, without types of its own. */
declare module 'punycode.js' {
  const punycode: {
    /** Throws RangeError for what only looks like an A-label. */
    toUnicode(name: string): string
  }
  export default punycode
}
