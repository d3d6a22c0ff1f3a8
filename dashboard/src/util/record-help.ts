/** What the field for the owner name accepts. */
export const nameHelp =
  'The part of the name before the zone, for example www. Enter @ for the zone itself, and * for all names that do not exist. You can also paste a full name or a URL.'

/** What the TTL means. */
export const ttlHelp =
  'The time in seconds that resolvers may keep an answer before they ask again. Use 300 (5 minutes) before you move a service, and 3600 (1 hour) otherwise.'

/** What records of a type are for. */
const typeHelp: Readonly<Record<string, string>> = {
  A: 'Points the name to an IPv4 address, for example the address of your web server. A name can have several.',
  AAAA: 'Points the name to an IPv6 address. Use it next to the A record if your server has IPv6.',
  CNAME:
    'Makes the name another name for a host, for example of a website builder. It cannot be used at @ or next to other records.',
  ALIAS: 'Works like a CNAME, but can also be used at @. We look the target up and publish its addresses.',
  MX: 'Names a server that receives email for the name. Servers with a lower priority are tried first.',
  TXT: 'Holds text that other services read, for example SPF, DKIM, DMARC or a proof that the domain is yours.',
  SRV: 'Says on which host and port a service runs. The name has the form _service._proto, for example _sip._tcp.',
  CAA: 'Lists the certificate authorities that may issue certificates for the name. Without it, any of them may.',
  NS: 'Gives a name below the zone to other nameservers. We manage the NS records of the zone itself.',
  HTTPS: 'Says how browsers reach a website, for example that it offers HTTP/3.',
  SVCB: 'Says how clients reach a service, for example a DNS server with encryption.',
  PTR: 'Gives an IP address a name. It belongs in a reverse zone, which ends in in-addr.arpa or ip6.arpa.',
  DNAME: 'Redirects all names below this name to the same names below the target. The name itself stays.',
  DS: 'Connects a delegated zone that is signed with DNSSEC to this one. The other DNS provider gives you its data.',
  SSHFP: 'Publishes the fingerprint of the key of an SSH server. ssh-keygen -r prints it.',
  TLSA: 'Publishes the certificate or key of a TLS server, for example for email with DANE. It needs DNSSEC.',
  NAPTR: 'Rewrites names, mostly for telephony (SIP and ENUM). Your provider gives you its data.',
}

/** What records of a type are for; undefined: the form shows their data as text, as in a zone file. */
export function helpOfType(type: string): string | undefined {
  return typeHelp[type]
}
