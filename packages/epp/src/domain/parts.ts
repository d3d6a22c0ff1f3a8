import {
  attribute,
  type Content,
  child,
  children,
  content,
  elementWith,
  ownText,
  type Part,
  text,
} from '../content/content.ts'
import { authInfo, clientId, type HostAddress, hostAddress, label, status } from '../content/eppcom.ts'
import { oneOf, someOf } from '../content/scalar.ts'
import { elementsOf, isNamed } from '../element.ts'
import { Namespace } from '../namespaces.ts'

/** The elements of the domain mapping (RFC 5731). */
export const domain = elementsOf(Namespace.domain)

export const domainAuthInfo = authInfo(domain)

/** A contact of a domain with its role. The registrant is not one of these. */
export interface DomainContact {
  readonly type: 'admin' | 'billing' | 'tech'
  readonly id: string
}

export const domainContact: Content<DomainContact> = content<DomainContact>({
  type: attribute('type', oneOf('a kind of contact', ['admin', 'billing', 'tech'])),
  id: ownText(clientId),
})

/** RFC 5731 §2.3. */
export const domainStatuses = [
  'clientDeleteProhibited',
  'clientHold',
  'clientRenewProhibited',
  'clientTransferProhibited',
  'clientUpdateProhibited',
  'inactive',
  'ok',
  'pendingCreate',
  'pendingDelete',
  'pendingRenew',
  'pendingTransfer',
  'pendingUpdate',
  'serverDeleteProhibited',
  'serverHold',
  'serverRenewProhibited',
  'serverTransferProhibited',
  'serverUpdateProhibited',
] as const

export const domainStatus = status(someOf('a status of a domain', domainStatuses))

/**
 * Nameservers: either references to host objects of the registry, or attributes of the domain (RFC 5731 §1.1). A registry supports one of the two.
 */
export type Nameservers =
  | { readonly form: 'objects'; readonly hosts: readonly string[] }
  | { readonly form: 'attributes'; readonly hosts: readonly HostAttribute[] }

export interface HostAttribute {
  readonly name: string
  readonly addresses: readonly HostAddress[]
}

const hostObject = domain('hostObj')
const hostObjects = children(hostObject, text(label), { min: 1 })
const hostAttributes = children(
  domain('hostAttr'),
  content<HostAttribute>({
    name: child(domain('hostName'), text(label)),
    addresses: children(domain('hostAddr'), hostAddress),
  }),
  { min: 1 },
)

const nameserversInside: Content<Nameservers> = {
  read: (element) => {
    if (element.children.some((each) => isNamed(each, hostObject)))
      return { form: 'objects', hosts: hostObjects.read(element) }
    return { form: 'attributes', hosts: hostAttributes.read(element) }
  },
  write: (value) => (value.form === 'objects' ? hostObjects.write(value.hosts) : hostAttributes.write(value.hosts)),
}

/** `<ns>`. A domain without nameservers has no such element, so an empty list cannot be sent. */
export const nameservers: Part<Nameservers | undefined> = {
  read: (element) => {
    const found = element.children.find((each) => isNamed(each, domain('ns')))
    return found && found.children.length > 0 ? nameserversInside.read(found) : undefined
  },
  write: (value) =>
    value === undefined ? {} : { children: [elementWith(domain('ns'), nameserversInside.write(value))] },
}

/** A command with only a name. */
export interface NamedDomain {
  readonly name: string
}

export const namedDomain: Content<NamedDomain> = content<NamedDomain>({ name: child(domain('name'), text(label)) })
