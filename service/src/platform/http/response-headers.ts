/** The headers of every response but a static document's, which says itself how long it may be kept. */
export function privateHeaders(requestId: string): Record<string, string> {
  return {
    'x-request-id': requestId,
    // A response is for its caller alone, errors and downloads included.
    'cache-control': 'no-store',
    // A browser must not take a customer's text for a page or a script.
    'x-content-type-options': 'nosniff',
  }
}
