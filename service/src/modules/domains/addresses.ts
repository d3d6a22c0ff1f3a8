/** An IP address in its one form: of an IPv6 address RFC 5952's, so that two ways to write one are the same. */
export function canonicalAddress(address: string): string {
  return address.includes(':') ? (URL.parse(`http://[${address}]`)?.hostname.slice(1, -1) ?? address) : address
}
