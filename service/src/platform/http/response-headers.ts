/** The headers of every response except static documents, which set their own caching. */
export function privateHeaders(requestId: string): Record<string, string> {
  return {
    'x-request-id': requestId,
    // A response is for its caller alone, errors and downloads included.
    'cache-control': 'no-store',
    // A browser must not interpret a customer's text as a page or a script.
    'x-content-type-options': 'nosniff',
  }
}
