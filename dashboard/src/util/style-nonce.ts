declare global {
  var __webpack_nonce__: string | undefined
}

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
// react-remove-scroll, with which dialogs hold the page still, takes the nonce of its style element from here.
globalThis.__webpack_nonce__ = nonce

/** What style elements that components make must bear, by the content security policy. */
export function styleNonce(): string {
  return nonce
}
