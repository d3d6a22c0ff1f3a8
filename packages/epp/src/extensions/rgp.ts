import { attribute, type Content, child, children, content, optionalChild, text } from '../content/content.ts'
import { anyText, instant, oneOf, someOf } from '../content/scalar.ts'
import { elementsOf } from '../element.ts'
import { Namespace } from '../namespaces.ts'

/** The elements of the grace period mapping (RFC 3915). */
export const rgp = elementsOf(Namespace.rgp)

/** Extends an empty update of the domain: restores a deleted domain (RFC 3915 §4.2.5). */
export interface Restore {
  readonly op: 'request' | 'report'
  /** The content of a `report`. */
  readonly report?: RestoreReport
}

/** The data before the deletion and after the restore, and a statement that the restore is for the registrant. */
export interface RestoreReport {
  readonly before: string
  readonly after: string
  readonly deletedAt: Date
  readonly restoredAt: Date
  readonly reason: string
  /** One or two. */
  readonly statements: readonly string[]
  readonly other?: string
}

const report: Content<RestoreReport> = content<RestoreReport>({
  before: child(rgp('preData'), text(anyText)),
  after: child(rgp('postData'), text(anyText)),
  deletedAt: child(rgp('delTime'), text(instant)),
  restoredAt: child(rgp('resTime'), text(instant)),
  reason: child(rgp('resReason'), text(anyText)),
  statements: children(rgp('statement'), text(anyText), { min: 1, max: 2 }),
  other: optionalChild(rgp('other'), text(anyText)),
})

const asked: Content<Restore> = content<Restore>({
  op: attribute('op', oneOf('a restore operation', ['request', 'report'])),
  report: optionalChild(rgp('report'), report),
})
const update = content<{ restore: Restore }>({ restore: child(rgp('restore'), asked) })

export const restore: Content<Restore> = {
  read: (element) => update.read(element).restore,
  write: (value) => update.write({ restore: value }),
}

/** RFC 3915 §3.1. */
export const graceStatuses = [
  'addPeriod',
  'autoRenewPeriod',
  'renewPeriod',
  'transferPeriod',
  'pendingDelete',
  'pendingRestore',
  'redemptionPeriod',
] as const

/** The grace periods of a domain. Some registries send several, although the schema allows only one. */
export interface GraceData {
  readonly statuses: readonly string[]
}

const status = content<{ s: string }>({ s: attribute('s', someOf('a grace period', graceStatuses)) })

export const graceData: Content<GraceData> = content<GraceData>({
  statuses: children(
    rgp('rgpStatus'),
    { read: (element) => status.read(element).s, write: (s) => status.write({ s }) },
    { min: 1, max: 1 },
  ),
})
