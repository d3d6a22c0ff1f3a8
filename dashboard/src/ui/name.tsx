/**
 * The name of a domain or a host beside other text. Letters of a right-to-left script do not reorder what stands beside it, and its labels stay
 * in their order (RFC 3987 §4.1).
 */
export function Name({ children }: { children: string }) {
  return <bdi dir="ltr">{children}</bdi>
}
