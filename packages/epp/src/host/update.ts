import { type Content, child, children, content, optionalChild, text } from '../content/content.ts'
import { type HostAddress, hostAddress, label } from '../content/eppcom.ts'
import { host, hostStatus, type NamedHost, namedHost } from './parts.ts'

/** Changes a host (RFC 5732 §3.2.5). */
export interface HostUpdate {
  readonly name: string
  readonly add?: HostLists
  readonly remove?: HostLists
  /** Its new name. */
  readonly change?: NamedHost
}

export interface HostLists {
  readonly addresses: readonly HostAddress[]
  readonly statuses: readonly string[]
}

const lists: Content<HostLists> = content<HostLists>({
  addresses: children(host('addr'), hostAddress),
  statuses: children(host('status'), hostStatus, { max: 7 }),
})

export const hostUpdate: Content<HostUpdate> = content<HostUpdate>({
  name: child(host('name'), text(label)),
  add: optionalChild(host('add'), lists),
  remove: optionalChild(host('rem'), lists),
  change: optionalChild(host('chg'), namedHost),
})
