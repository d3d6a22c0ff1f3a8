/**
 * The Domain Connect link in the fragment of the page's URL: the path and query as the service received them, in base64url. Undefined: there is
 * none.
 *
 * It is in the fragment because a browser or a router may rewrite a query, and its signature covers every byte.
 */
export function connectRequestIn(fragment: string): string | undefined {
  const encoded = fragment.replace(/^#/, '')
  if (!/^[A-Za-z0-9_-]+$/.test(encoded)) return undefined
  try {
    return atob(encoded.replaceAll('-', '+').replaceAll('_', '/'))
  } catch {
    return undefined
  }
}
