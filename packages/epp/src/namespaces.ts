/** The namespaces that this library supports. Greeting and login name objects and extensions by them. */
export const Namespace = {
  /** RFC 5730. */
  epp: 'urn:ietf:params:xml:ns:epp-1.0',
  /** RFC 5731. */
  domain: 'urn:ietf:params:xml:ns:domain-1.0',
  /** RFC 5732. */
  host: 'urn:ietf:params:xml:ns:host-1.0',
  /** RFC 5733. */
  contact: 'urn:ietf:params:xml:ns:contact-1.0',
  /** RFC 3915. */
  rgp: 'urn:ietf:params:xml:ns:rgp-1.0',
  /** RFC 5910. */
  secDns: 'urn:ietf:params:xml:ns:secDNS-1.1',
  /** RFC 8748. */
  fee: 'urn:ietf:params:xml:ns:epp:fee-1.0',
} as const

/** The usual prefixes; EPP itself is the default namespace. The software of some registries accepts no others. */
export const prefixes: Readonly<Record<string, string>> = {
  [Namespace.domain]: 'domain',
  [Namespace.host]: 'host',
  [Namespace.contact]: 'contact',
  [Namespace.rgp]: 'rgp',
  [Namespace.secDns]: 'secDNS',
  [Namespace.fee]: 'fee',
}
