import { domainContacts, registryContact } from '#modules/contacts/index.ts'
import {
  type ChangeCommand,
  type DomainUpdate,
  isDomainUpdate,
  type RecordedCommand,
} from '#modules/registry-commands/index.ts'
import {
  type ClientStatus,
  type Difference,
  type DomainChange,
  type DomainContact,
  type DomainInfo,
  type RestoreReport,
  sameId,
  type Transfer,
} from '#ports/registry.ts'
import { type Change, type Failure, isDefaultLock, type Sight, type Wish } from './domain-change.ts'
import { isHostOf } from './hosts.ts'

/** The next command of a change. `leaves`: what a lookup would show once it is done; omitted: the registry must be queried. */
export type Step = ChangeCommand & { readonly leaves?: Sight }
/** A failure: the change is not possible, which is known without a command; null: nothing is left to send. */
type Next = Step | Failure | null

/** What a lock sets (RFC 5731 §2.3): against transfers, and against deletion and changes by mistake. */
export const lockStatuses: readonly ClientStatus[] = [
  'clientTransferProhibited',
  'clientUpdateProhibited',
  'clientDeleteProhibited',
]
/** What the default lock of a new domain sets. */
export const defaultStatus: ClientStatus = 'clientTransferProhibited'

/** The part of a change that decides its next command. `code`: its transfer code, or that of its new contact, decrypted. */
export type Underway = Pick<Change, 'name' | 'wish' | 'relock' | 'failure'> & { readonly code: string }

type WishOf<Kind extends Wish['kind']> = Extract<Wish, { kind: Kind }>
/** The commands of a change that were recorded so far. */
type Commands = readonly RecordedCommand<ChangeCommand>[]

/**
 * Decides the next command of a change from the wanted state, from what the registry has, and from the recorded commands. So any worker can
 * continue a change, wherever another worker stopped.
 *
 * If updates are prohibited, they are allowed first and prohibited again at the end, which takes three commands (RFC 5731 §2.3).
 */
export function nextStep(change: Underway, sight: Sight, operations: Commands): Next {
  const { wish, relock, failure } = change
  const isProhibited = sight.info.statuses.includes(updatesProhibited)
  const next = failure === null ? nextOf(change, sight, operations) : null
  if (next !== null)
    return isProhibited && 'command' in next && isDomainUpdate(next.command)
      ? updateStatuses(sight, 'allow_updates', { add: [], remove: [updatesProhibited] })
      : next
  const isToBeLocked = relock && !isProhibited && (wish.kind !== 'unlock' || failure !== null)
  return isToBeLocked ? updateStatuses(sight, 'prohibit_updates', { add: [updatesProhibited], remove: [] }) : null
}

const updatesProhibited = 'clientUpdateProhibited'

/** A command that changes the domain. `shown`: the domain as the registry shows it once the command is done. */
function update(sight: Sight, command: DomainUpdate, change: DomainChange, shown: Partial<DomainInfo>): Step {
  const { info } = sight
  return { command, subject: info.name, change, leaves: { ...sight, info: { ...info, ...shown } } }
}

function updateStatuses(sight: Sight, command: DomainUpdate, statuses: Difference<ClientStatus>): Step {
  return update(sight, command, { statuses }, { statuses: changedStatuses(sight.info.statuses, statuses) })
}

/** `ok` is present exactly if no other status is (RFC 5731 §2.3). */
function changedStatuses(statuses: readonly string[], { add, remove }: Difference<string>): readonly string[] {
  const left = [...without(statuses, ['ok', ...remove]), ...add]
  return left.length === 0 ? ['ok'] : left
}

function nextOf(change: Underway, sight: Sight, operations: Commands): Next {
  const { name, wish, code } = change
  const { info, transfer } = sight
  switch (wish.kind) {
    case 'nameservers':
      return nextForNameservers(name, wish, sight, operations)
    case 'lock':
    case 'unlock': {
      // Before an unlock, `nextStep` removes `clientUpdateProhibited` with a command of its own.
      const all = isDefaultLock(change) ? [defaultStatus] : lockStatuses
      const present = all.filter((status) => info.statuses.includes(status))
      const statuses = difference(present, wish.kind === 'lock' ? all : [])
      return isAny(statuses) ? updateStatuses(sight, wish.kind, statuses) : null
    }
    case 'contacts':
      return nextForContacts(wish, code, sight, operations)
    case 'restore':
      return nextForRestore(name, wish, sight, operations)
    case 'transfer_code': {
      if (sight.hasCode || operations.some(({ command, state }) => command === 'set_code' && state === 'done'))
        return null
      return info.statuses.includes('clientTransferProhibited')
        ? { code: 'domain_locked', message: `${name} is locked and cannot be transferred. Unlock it first.` }
        : update(sight, 'set_code', { authInfo: code }, {})
    }
    case 'approve_transfer':
    case 'reject_transfer': {
      const isApproval = wish.kind === 'approve_transfer'
      if (transfer?.status === 'pending') return decide(sight, transfer, isApproval)
      const isWished = isApproval ? /Approved$/ : /(Rejected|Cancelled)$/
      if (transfer !== null && isWished.test(transfer.status) && operations.length > 0) return null
      return conflict(`No transfer of ${name} is waiting for a decision.`)
    }
  }
}

function decide(sight: Sight, transfer: Transfer, isApproval: boolean): Step {
  const { info } = sight
  const statuses = changedStatuses(info.statuses, { add: [], remove: ['pendingTransfer'] })
  const sponsor = isApproval ? transfer.requestedBy : info.sponsor
  const decided = { ...transfer, status: isApproval ? 'clientApproved' : 'clientRejected' } as const
  const leaves = { ...sight, info: { ...info, statuses, sponsor }, transfer: decided }
  return { command: isApproval ? 'approve' : 'reject', subject: info.name, leaves }
}

export function conflict(message: string): Failure {
  return { code: 'conflict', message }
}

function nextForNameservers(name: string, wish: WishOf<'nameservers'>, sight: Sight, operations: Commands): Next {
  const { nameservers, hosts, isUnsigned } = wish
  const { info, hosts: known } = sight
  const isOwn = (host: string): boolean => isHostOf(name, host)
  const isThere = (host: string): boolean =>
    info.subordinateHosts.includes(host) || hosts.some((each) => each.name === host)
  const missing = nameservers.flatMap((host, i) => {
    if (!isOwn(host) || isThere(host)) return []
    const where = host === name ? 'the domain itself' : `below ${name}`
    const message = `Add the addresses of ${host} to \`hosts\`, because it is ${where}.`
    return [{ path: `/nameservers/${i}`, code: 'address_needed', message }]
  })
  const needed = `The registry requires the addresses of nameservers at or below ${name}.`
  if (missing.length > 0) return { code: 'validation_failed', message: needed, details: missing }
  for (const host of hosts) {
    const { name: subject, addresses } = host
    const present = known.get(subject)
    const leaves = { ...sight, hosts: new Map(known).set(subject, addresses) }
    if (present === undefined) return { command: 'create_host', subject, host, leaves }
    const change = { addresses: difference(present, addresses) }
    if (isAny(change.addresses)) return { command: 'change_host', subject, change, leaves }
  }
  // Before the nameservers: any nameserver can serve a domain without DS records, but only one that signs can serve a domain with them.
  if (isUnsigned && info.isSigned)
    return update(sight, 'remove_ds', { dsRecords: 'none' }, { isSigned: false, dsRecords: [] })
  const change = difference(info.nameservers, nameservers)
  if (isAny(change))
    return update(sight, 'set_nameservers', { nameservers: change }, { nameservers: nameservers.toSorted() })
  // If a host is still a nameserver of another domain, the registry refuses to delete it.
  const useless = info.subordinateHosts.find(
    (host) => isOwn(host) && !nameservers.includes(host) && !wasTried(operations, 'delete_host', host),
  )
  return useless === undefined ? null : { command: 'delete_host', subject: useless, leaves: sight }
}

function nextForContacts(wish: WishOf<'contacts'>, authInfo: string, sight: Sight, operations: Commands): Next {
  const { registrantId, formerId, contact } = wish
  const { info, hasContact } = sight
  const contacts = domainContacts(registrantId)
  const change = { registrant: registrantId, contacts: difference(info.contacts, contacts) }
  if (!sameId(registrantId, info.registrant) || isAny(change.contacts)) {
    if (hasContact) return update(sight, 'set_contacts', change, { registrant: registrantId, contacts })
    const created = registryContact(registrantId, contact)
    const leaves = { ...sight, hasContact: true }
    return { command: 'create_contact', subject: registrantId, contact: created, authInfo, leaves }
  }
  return formerId === null || wasTried(operations, 'delete_contact', formerId)
    ? null
    : { command: 'delete_contact', subject: formerId, leaves: sight }
}

/** First requests the restore. If the registry then waits for a report, sends the report (RFC 3915 §2). */
function nextForRestore(name: string, { reason }: WishOf<'restore'>, { info }: Sight, operations: Commands): Next {
  const doneAt = (command: ChangeCommand['command']): Date | undefined =>
    operations.find((each) => each.command === command && each.state === 'done')?.sentAt
  const askedAt = doneAt('restore')
  const isWaiting = info.graceStatuses.includes('pendingRestore')
  if (isWaiting && doneAt('report_restore') === undefined)
    return { command: 'report_restore', subject: name, report: reportOf(info, reason, askedAt) }
  if (isWaiting || !info.statuses.includes('pendingDelete'))
    return operations.length > 0 ? null : conflict(`${name} is not deleted, so there is nothing to restore.`)
  return info.graceStatuses.includes('redemptionPeriod') && askedAt === undefined
    ? { command: 'restore', subject: name }
    : conflict(`The registry is deleting ${name}. It can no longer be restored.`)
}

function reportOf(info: DomainInfo, reason: string, askedAt: Date | undefined): RestoreReport {
  const { name, registrant, nameservers, expiresAt, updatedAt } = info
  const data = `${name}, registrant ${registrant ?? 'not shown'}, nameservers ${nameservers.join(' ') || 'none'}`
  // No registry shows when a domain was deleted. This time is before that.
  const lastKnown = new Date(Math.max(expiresAt?.getTime() ?? 0, updatedAt?.getTime() ?? 0))
  return {
    before: data,
    after: data,
    deletedAt: lastKnown,
    restoredAt: askedAt ?? lastKnown,
    reason,
    statements: [
      'This registrar has not restored the registered name in order to assume the rights to use or sell the name for itself or for any third party.',
      'The information in this report is factual, to the best of this registrar’s knowledge.',
    ],
  }
}

/** Whether a command that only cleans up was sent. It is not resent. */
function wasTried(operations: Commands, command: 'delete_host' | 'delete_contact', subject: string): boolean {
  return operations.some((each) => each.command === command && each.subject === subject && each.state !== 'not_done')
}

function difference<T extends string | DomainContact>(present: readonly T[], wanted: readonly T[]): Difference<T> {
  return { add: without(wanted, present), remove: without(present, wanted) }
}

function without<T extends string | DomainContact>(all: readonly T[], some: readonly T[]): T[] {
  const texts = new Set(some.map(textOf))
  return all.filter((each) => !texts.has(textOf(each)))
}

/** The same for the same contact, in whichever letter case its registry writes the id (`sameId`). */
function textOf(each: string | DomainContact): string {
  return typeof each === 'string' ? each : `${each.type} ${each.id.toUpperCase()}`
}

function isAny({ add, remove }: Difference<unknown>): boolean {
  return add.length + remove.length > 0
}

/** The registry's refusal of a command, in words that its caller can act on; null: the command only cleans up, so its refusal does not matter. */
export function failureOf(
  name: string,
  command: ChangeCommand['command'],
  { code, message }: { code: number; message: string },
): Failure | null {
  const own = `The registry says: ${message} (${code}).`
  const refused = (said: string): Failure => conflict(`${said} ${own}`)
  const at = (path: string, why = 'refused'): Failure => ({
    code: 'validation_failed',
    message: `The registry refused the request. ${own}`,
    details: [{ path, code: why, message: own }],
  })
  if (command === 'delete_host' || command === 'delete_contact') return null
  if (command === 'restore' || command === 'report_restore') return refused(`The registry refused to restore ${name}.`)
  if (code === 2304) {
    const said = `${name} is locked by its registry, or another change is in progress there.`
    return { ...refused(said), code: 'domain_locked' }
  }
  if (code === 2303 && command === 'set_nameservers') return at('/nameservers', 'unknown_host')
  if (code === 2201 || code === 2303) return refused(`${name} is no longer registered with us.`)
  if (code === 2301) return refused(`No transfer of ${name} is waiting for a decision.`)
  if (command === 'set_nameservers') return at('/nameservers')
  if (command === 'remove_ds')
    return refused(
      `The registry did not remove the DS records of ${name}. With them, the domain would stop resolving on our nameservers.`,
    )
  if (command === 'create_host' || command === 'change_host') return at('/hosts')
  if (command === 'create_contact' || command === 'set_contacts')
    return { ...at('/contact_id'), code: 'contact_invalid', message: `The registry refused the contact. ${own}` }
  return refused('The registry refused the request.')
}
