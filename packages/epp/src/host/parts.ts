import { type Content, child, content, text } from '../content/content.ts'
import { label, status } from '../content/eppcom.ts'
import { someOf } from '../content/scalar.ts'
import { elementsOf } from '../element.ts'
import { Namespace } from '../namespaces.ts'

/** The elements of the host mapping (RFC 5732). */
export const host = elementsOf(Namespace.host)

/** RFC 5732 §2.3. */
const hostStatuses = [
  'clientDeleteProhibited',
  'clientUpdateProhibited',
  'linked',
  'ok',
  'pendingCreate',
  'pendingDelete',
  'pendingTransfer',
  'pendingUpdate',
  'serverDeleteProhibited',
  'serverUpdateProhibited',
] as const

export const hostStatus = status(someOf('a status of a host', hostStatuses))

/** A command with only a host's name. */
export interface NamedHost {
  readonly name: string
}

export const namedHost: Content<NamedHost> = content<NamedHost>({ name: child(host('name'), text(label)) })
