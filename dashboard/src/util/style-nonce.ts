declare global {
  var __webpack_nonce__: string | undefined
}

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
// react-remove-scroll, with which dialogs prevent scrolling of the page, takes the nonce of its style element from here.
globalThis.__webpack_nonce__ = nonce

/** The nonce that the content security policy requires on style elements of components. */
export function styleNonce(): string {
  return nonce
}
