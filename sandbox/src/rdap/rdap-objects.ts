import type { Registration, SandboxRegistrar } from './registrations.ts'

/** A member of every answer (RFC 9083 §4.1). */
const conformance = { rdapConformance: ['rdap_level_0'] }

/** A domain in RDAP form (RFC 9083 §5.3). */
export function domainObject(
  domain: string,
  { nameservers, registeredAt, expiresAt, registrar }: Registration,
  url: string,
): object {
  return {
    ...conformance,
    objectClassName: 'domain',
    handle: `${domain.toUpperCase()}-SANDBOX`,
    ldhName: domain.toUpperCase(),
    status: ['active'],
    events: [
      { eventAction: 'registration', eventDate: registeredAt.toISOString() },
      { eventAction: 'expiration', eventDate: expiresAt.toISOString() },
      { eventAction: 'last update of RDAP database', eventDate: new Date().toISOString() },
    ],
    nameservers: nameservers.map((name) => ({ objectClassName: 'nameserver', ldhName: name.toUpperCase() })),
    ...(registrar && { entities: [registrarObject(registrar)] }),
    secureDNS: { delegationSigned: false },
    links: [{ value: url, rel: 'self', href: url, type: 'application/rdap+json' }],
  }
}

/** A registrar in RDAP form (RFC 9083 §5.1), with its name in a jCard (RFC 7095). */
function registrarObject({ name, url }: SandboxRegistrar): object {
  const card = [
    ['version', {}, 'text', '4.0'],
    ['fn', {}, 'text', name],
  ]
  return {
    objectClassName: 'entity',
    roles: ['registrar'],
    vcardArray: ['vcard', card],
    links: [{ value: url, rel: 'about', href: url, type: 'text/html' }],
  }
}

/** An error in RDAP form (RFC 9083 §6). */
export function errorObject(status: number, title: string): object {
  return { ...conformance, errorCode: status, title }
}

/** The bootstrap file with the URL of the registry's RDAP server, as IANA publishes it for every registry (RFC 9224 §4). */
export function bootstrapObject(tlds: readonly string[], base: string): object {
  return { version: '1.0', publication: new Date().toISOString(), services: [[tlds, [base]]] }
}

export function helpObject(): object {
  return { ...conformance, notices: [{ title: 'Sandbox', description: ['A small registry for tests.'] }] }
}
