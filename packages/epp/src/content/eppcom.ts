import { type ElementName, elementsOf } from '../element.ts'
import { Namespace } from '../namespaces.ts'
import { attribute, type Content, child, content, optionalAttribute, ownText, text } from './content.ts'
import { line, oneOf, token, wholeNumber } from './scalar.ts'

// The types that the schemas share (eppcom-1.0, RFC 5730 §4.2), and those of EPP itself that the objects use.

export const epp = elementsOf(Namespace.epp)

export const label = token('a name', { min: 1, max: 255 })
export const clientId = token('an identifier of a registrar or contact', { min: 3, max: 16 })
export const roid = token('a repository object identifier', { pattern: /^\w{1,80}-\w{1,8}$/ })
export const transactionId = token('a transaction identifier', { min: 3, max: 64 })
export const minToken = token('a word', { min: 1 })
export const reasonText = token('a reason', { min: 1, max: 32 })
export const language = token('a language', { pattern: /^[a-zA-Z]{1,8}(?:-[a-zA-Z0-9]{1,8})*$/ })
export const secret = line('a password')

/** `<authInfo>` with a password, which is the transfer code. Other kinds are not supported. */
export function authInfo(element: (name: string) => ElementName): Content<string> {
  const outer = content<{ password: string }>({ password: child(element('pw'), text(secret)) })
  return { read: (found) => outer.read(found).password, write: (password) => outer.write({ password }) }
}

/** Whether a name or id is available. */
export interface Availability {
  readonly id: string
  readonly isAvailable: boolean
  readonly reason?: string
}

/** A time span of a registration. */
export interface Period {
  readonly unit: 'y' | 'm'
  readonly length: number
}

export const period: Content<Period> = content<Period>({
  unit: attribute('unit', oneOf('a unit of time', ['y', 'm'])),
  length: ownText(wholeNumber('a period', 1, 99)),
})

/** The ids of a transaction: the client's and the server's. */
export interface TransactionIds {
  readonly clTrid?: string
  readonly svTrid: string
}

/** `<status s="ok">`. Its optional text is not kept. */
export function status<T extends string>(known: {
  readonly parse: (text: string) => T | undefined
  readonly format: (value: T) => string
}): Content<T> {
  const inside = content<{ s: T }>({ s: attribute('s', known) })
  return { read: (element) => inside.read(element).s, write: (s) => inside.write({ s }) }
}

/** An IP address of a host. */
export interface HostAddress {
  readonly address: string
  readonly version: 'v4' | 'v6'
}

const versionAttribute = optionalAttribute('ip', oneOf('an IP version', ['v4', 'v6']))
const addressText = ownText(token('an IP address', { min: 3, max: 45 }))

/** Without `ip`, the address is IPv4. Some registries require the attribute, so it is always written. */
export const hostAddress: Content<HostAddress> = content<HostAddress>({
  address: addressText,
  version: { read: (element) => versionAttribute.read(element) ?? 'v4', write: versionAttribute.write },
})
