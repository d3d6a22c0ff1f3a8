import { type Content, child, children, content, optionalChild, text } from '../content/content.ts'
import { clientId, type HostAddress, hostAddress, label, roid } from '../content/eppcom.ts'
import { instant } from '../content/scalar.ts'
import { host, hostStatus } from './parts.ts'

/** The registry's data of a host (RFC 5732 §3.1.2). */
export interface HostInfoData {
  readonly name: string
  readonly roid: string
  readonly statuses: readonly string[]
  readonly addresses: readonly HostAddress[]
  readonly clId: string
  readonly crId: string
  readonly crDate: Date
  readonly upId?: string
  readonly upDate?: Date
  readonly trDate?: Date
}

export const hostInfoData: Content<HostInfoData> = content<HostInfoData>({
  name: child(host('name'), text(label)),
  roid: child(host('roid'), text(roid)),
  statuses: children(host('status'), hostStatus, { min: 1, max: 7 }),
  addresses: children(host('addr'), hostAddress),
  clId: child(host('clID'), text(clientId)),
  crId: child(host('crID'), text(clientId)),
  crDate: child(host('crDate'), text(instant)),
  upId: optionalChild(host('upID'), text(clientId)),
  upDate: optionalChild(host('upDate'), text(instant)),
  trDate: optionalChild(host('trDate'), text(instant)),
})
