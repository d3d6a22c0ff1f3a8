import { contactCheck } from './contact/check.ts'
import { type ContactCreate, contactCreate } from './contact/create.ts'
import { type ContactInfo, contactInfo } from './contact/info.ts'
import { contact, type IdentifiedContact, identifiedContact } from './contact/parts.ts'
import { type ContactUpdate, contactUpdate } from './contact/update.ts'
import type { Check } from './content/availability.ts'
import type { Content } from './content/content.ts'
import { domainCheck } from './domain/check.ts'
import { type DomainCreate, domainCreate } from './domain/create.ts'
import { type DomainInfo, domainInfo } from './domain/info.ts'
import { domain, type NamedDomain, namedDomain } from './domain/parts.ts'
import { type DomainRenew, domainRenew } from './domain/renew.ts'
import { type DomainTransfer, domainTransfer } from './domain/transfer.ts'
import { type DomainUpdate, domainUpdate } from './domain/update.ts'
import type { ElementName } from './element.ts'
import { type FeeAgreed, fee, feeAgreed } from './extensions/fee.ts'
import { type FeeCheck, feeCheck } from './extensions/fee-check.ts'
import { type Restore, restore, rgp } from './extensions/rgp.ts'
import {
  type DelegationSigner,
  type DelegationSignerUpdate,
  delegationSigner,
  delegationSignerUpdate,
  secDns,
} from './extensions/sec-dns.ts'
import { hostCheck } from './host/check.ts'
import { type HostCreate, hostCreate } from './host/create.ts'
import { host, type NamedHost, namedHost } from './host/parts.ts'
import { type HostUpdate, hostUpdate } from './host/update.ts'

/** The commands about objects, by object and verb. */
export interface ObjectCommands {
  'domain:check': Check
  'domain:info': DomainInfo
  'domain:create': DomainCreate
  'domain:renew': DomainRenew
  'domain:transfer': DomainTransfer
  'domain:update': DomainUpdate
  'domain:delete': NamedDomain
  'contact:check': Check
  'contact:info': ContactInfo
  'contact:create': ContactCreate
  'contact:update': ContactUpdate
  'contact:delete': IdentifiedContact
  'host:check': Check
  'host:info': NamedHost
  'host:create': HostCreate
  'host:update': HostUpdate
  'host:delete': NamedHost
}

/** The extensions of commands (RFC 5730 §2.7.3), by their own names. */
export interface CommandExtensions {
  readonly 'secDNS:create'?: DelegationSigner
  readonly 'secDNS:update'?: DelegationSignerUpdate
  readonly 'rgp:update'?: Restore
  readonly 'fee:check'?: FeeCheck
  readonly 'fee:create'?: FeeAgreed
  readonly 'fee:renew'?: FeeAgreed
  readonly 'fee:transfer'?: FeeAgreed
  readonly 'fee:update'?: FeeAgreed
}

/** An element that is known, and how it is read and written. */
export interface Known<T> {
  readonly element: ElementName
  readonly content: Content<T>
}

export const objectCommands: { readonly [K in keyof ObjectCommands]: Known<ObjectCommands[K]> } = {
  'domain:check': { element: domain('check'), content: domainCheck },
  'domain:info': { element: domain('info'), content: domainInfo },
  'domain:create': { element: domain('create'), content: domainCreate },
  'domain:renew': { element: domain('renew'), content: domainRenew },
  'domain:transfer': { element: domain('transfer'), content: domainTransfer },
  'domain:update': { element: domain('update'), content: domainUpdate },
  'domain:delete': { element: domain('delete'), content: namedDomain },
  'contact:check': { element: contact('check'), content: contactCheck },
  'contact:info': { element: contact('info'), content: contactInfo },
  'contact:create': { element: contact('create'), content: contactCreate },
  'contact:update': { element: contact('update'), content: contactUpdate },
  'contact:delete': { element: contact('delete'), content: identifiedContact },
  'host:check': { element: host('check'), content: hostCheck },
  'host:info': { element: host('info'), content: namedHost },
  'host:create': { element: host('create'), content: hostCreate },
  'host:update': { element: host('update'), content: hostUpdate },
  'host:delete': { element: host('delete'), content: namedHost },
}

export const commandExtensions: {
  readonly [K in keyof CommandExtensions]-?: Known<NonNullable<CommandExtensions[K]>>
} = {
  'secDNS:create': { element: secDns('create'), content: delegationSigner },
  'secDNS:update': { element: secDns('update'), content: delegationSignerUpdate },
  'rgp:update': { element: rgp('update'), content: restore },
  'fee:check': { element: fee('check'), content: feeCheck },
  'fee:create': { element: fee('create'), content: feeAgreed },
  'fee:renew': { element: fee('renew'), content: feeAgreed },
  'fee:transfer': { element: fee('transfer'), content: feeAgreed },
  'fee:update': { element: fee('update'), content: feeAgreed },
}
