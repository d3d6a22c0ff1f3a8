import { type Content, child, children, content, text } from '../content/content.ts'
import { type HostAddress, hostAddress, label } from '../content/eppcom.ts'
import { instant } from '../content/scalar.ts'
import { host } from './parts.ts'

/** Creates a host: a nameserver that domains can use (RFC 5732 §3.2.1). */
export interface HostCreate {
  readonly name: string
  /** The addresses of a host below a domain of the registry. Other hosts have none. */
  readonly addresses: readonly HostAddress[]
}

export const hostCreate: Content<HostCreate> = content<HostCreate>({
  name: child(host('name'), text(label)),
  addresses: children(host('addr'), hostAddress),
})

export interface HostCreateData {
  readonly name: string
  readonly crDate: Date
}

export const hostCreateData: Content<HostCreateData> = content<HostCreateData>({
  name: child(host('name'), text(label)),
  crDate: child(host('crDate'), text(instant)),
})
