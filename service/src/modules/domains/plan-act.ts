import { type ClientStatus, type DomainContact, type DomainInfo, type RestoreReport, sameId } from '#ports/registry.ts'
import type { Act, ActOperation, Failure, Sight, Step, Wish } from './act.ts'
import { isHostOf } from './hosts.ts'

/** What is next for an act. */
export type Next =
  | { readonly do: 'send'; readonly step: Step }
  /** The registry would not: nothing has to be asked for that. */
  | { readonly do: 'refuse'; readonly failure: Failure }
  /** All is as it should be. */
  | { readonly do: 'end' }

/** What a lock sets (RFC 5731 §2.3): against transfers above all, and against deletion and changes by mistake. */
export const lockStatuses: readonly ClientStatus[] = [
  'clientTransferProhibited',
  'clientUpdateProhibited',
  'clientDeleteProhibited',
]

/** Of an act: what it is about, and how far it has come. */
export type Underway = Pick<Act, 'name' | 'wish' | 'relock' | 'failure'>

/**
 * The next command of an act, from what is wished and what is there. Nothing else decides: so an act that somebody else
 * began, or that broke off anywhere, goes on where it was.
 *
 * While updates are prohibited they are allowed first, and prohibited again at the end: three commands (RFC 5731 §2.3).
 */
export function nextStep(act: Underway, sight: Sight, operations: readonly ActOperation[]): Next {
  const { wish, relock, failure } = act
  const isProhibited = sight.info.statuses.includes('clientUpdateProhibited')
  const next = failure === null ? nextOf(act.name, wish, sight, operations) : end
  if (next.do === 'refuse') return next
  if (next.do === 'send')
    return prohibitable.includes(next.step.step) && isProhibited
      ? { do: 'send', step: { step: 'allow_updates' } }
      : next
  const isToBeLocked = relock && !isProhibited && (wish.kind !== 'unlock' || failure !== null)
  return isToBeLocked ? { do: 'send', step: { step: 'prohibit_updates' } } : end
}

const end = { do: 'end' } as const

function send(step: Step): Next {
  return { do: 'send', step }
}

/** Updates of the domain that `clientUpdateProhibited` prohibits. */
const prohibitable: readonly Step['step'][] = [
  'remove_ds',
  'set_nameservers',
  'lock',
  'unlock',
  'set_contacts',
  'set_code',
]

/** Is it sent as an update of the domain itself (RFC 5731 §3.2.5, RFC 3915 §4.2.5)? */
export function isUpdate(step: Step['step']): boolean {
  return (
    prohibitable.includes(step) || ['allow_updates', 'prohibit_updates', 'restore', 'report_restore'].includes(step)
  )
}

function nextOf(name: string, wish: Wish, sight: Sight, operations: readonly ActOperation[]): Next {
  const { info, transfer } = sight
  switch (wish.kind) {
    case 'nameservers':
      return nextForNameservers(name, wish, sight, operations)
    case 'lock': {
      const statuses = lockStatuses.filter((status) => !info.statuses.includes(status))
      return statuses.length > 0 ? send({ step: 'lock', statuses }) : end
    }
    case 'unlock': {
      // What prohibits updates goes first, by itself.
      const statuses = lockStatuses.filter((status) => info.statuses.includes(status))
      return statuses.length > 0 ? send({ step: 'unlock', statuses }) : end
    }
    case 'contacts':
      return nextForContacts(wish, sight, operations)
    case 'restore':
      return nextForRestore(name, wish, sight, operations)
    case 'transfer_code': {
      const isSet = sight.hasCode || operations.some(({ step, state }) => step === 'set_code' && state === 'done')
      if (isSet) return end
      return info.statuses.includes('clientTransferProhibited')
        ? refuse({
            code: 'domain_locked',
            message: `${name} is locked and cannot be transferred. Unlock it first.`,
          })
        : send({ step: 'set_code' })
    }
    case 'approve_transfer':
    case 'reject_transfer': {
      if (transfer?.status === 'pending') return send({ step: wish.kind === 'approve_transfer' ? 'approve' : 'reject' })
      const isWished = wish.kind === 'approve_transfer' ? /Approved$/ : /(Rejected|Cancelled)$/
      if (transfer !== null && isWished.test(transfer.status) && operations.length > 0) return end
      return refuse({ code: 'conflict', message: `No transfer of ${name} is waiting for a decision.` })
    }
  }
}

function refuse(failure: Failure): Next {
  return { do: 'refuse', failure }
}

function nextForNameservers(
  name: string,
  { nameservers, hosts, isUnsigned }: Extract<Wish, { kind: 'nameservers' }>,
  { info, hosts: known }: Sight,
  operations: readonly ActOperation[],
): Next {
  const isOwn = (host: string): boolean => isHostOf(name, host)
  const isThere = (host: string): boolean =>
    known.has(host) || info.subordinateHosts.includes(host) || hosts.some((each) => each.name === host)
  const missing = nameservers.flatMap((host, i) => (isOwn(host) && !isThere(host) ? [{ host, i }] : []))
  if (missing.length > 0)
    return refuse({
      code: 'validation_failed',
      message: `The registry requires the addresses of nameservers at or below ${name}.`,
      details: missing.map(({ host, i }) => ({
        path: `/nameservers/${i}`,
        code: 'address_needed',
        message: `Add the addresses of ${host} to \`hosts\`, because it is ${host === name ? 'the domain itself' : `below ${name}`}.`,
      })),
    })
  for (const host of hosts) {
    const addresses = known.get(host.name)
    if (addresses === undefined) return send({ step: 'create_host', host })
    const { add, remove } = difference(addresses, host.addresses)
    if (add.length + remove.length > 0) return send({ step: 'change_host', host: host.name, add, remove })
  }
  // Before the nameservers: unsigned is what any of them may be, signed only those that sign.
  if (isUnsigned && info.isSigned) return send({ step: 'remove_ds' })
  const { add, remove } = difference(info.nameservers, nameservers)
  if (add.length + remove.length > 0) return send({ step: 'set_nameservers', add, remove })
  // What another domain still has as a nameserver the registry keeps, and says so.
  const useless = info.subordinateHosts.find(
    (host) => isOwn(host) && !nameservers.includes(host) && !wasTried(operations, 'delete_host', host),
  )
  return useless === undefined ? end : send({ step: 'delete_host', host: useless })
}

function nextForContacts(
  { registrantId, formerId }: Extract<Wish, { kind: 'contacts' }>,
  { info, hasContact }: Sight,
  operations: readonly ActOperation[],
): Next {
  const wanted = (['admin', 'tech', 'billing'] as const).map((type) => ({ type, id: registrantId }))
  const { add, remove } = difference(info.contacts, wanted, contactText)
  if (!sameId(registrantId, info.registrant) || add.length + remove.length > 0)
    return send(
      hasContact ? { step: 'set_contacts', registrant: registrantId, add, remove } : { step: 'create_contact' },
    )
  return formerId === null || wasTried(operations, 'delete_contact', formerId)
    ? end
    : send({ step: 'delete_contact', id: formerId })
}

/** The same for the same contact, in whichever letter case its registry writes the id (`sameId`). */
function contactText({ type, id }: DomainContact): string {
  return `${type} ${id.toUpperCase()}`
}

/** It is asked for, and then, where the registry waits for that, reported (RFC 3915 §2). */
function nextForRestore(
  name: string,
  { reason }: Extract<Wish, { kind: 'restore' }>,
  { info }: Sight,
  operations: readonly ActOperation[],
): Next {
  const doneAt = (step: Step['step']): Date | undefined =>
    operations.find((each) => each.step === step && each.state === 'done')?.sentAt
  const askedAt = doneAt('restore')
  const isWaiting = info.graceStatuses.includes('pendingRestore')
  if (isWaiting && doneAt('report_restore') === undefined)
    return send({ step: 'report_restore', report: reportOf(info, reason, askedAt) })
  if (isWaiting || !info.statuses.includes('pendingDelete'))
    return operations.length > 0
      ? end
      : refuse({ code: 'conflict', message: `${name} is not deleted, so there is nothing to restore.` })
  return info.graceStatuses.includes('redemptionPeriod') && askedAt === undefined
    ? send({ step: 'restore' })
    : refuse({ code: 'conflict', message: `The registry is deleting ${name}. It can no longer be restored.` })
}

function reportOf(info: DomainInfo, reason: string, askedAt: Date | undefined): RestoreReport {
  const { name, registrant, nameservers, expiresAt, updatedAt } = info
  const data = `${name}, registrant ${registrant ?? 'not shown'}, nameservers ${nameservers.join(' ') || 'none'}`
  // No registry says when it was: it was deleted since then.
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

/** Once is enough for what is only tidied up. */
function wasTried(operations: readonly ActOperation[], step: Step['step'], subject: string): boolean {
  return operations.some((each) => each.step === step && each.subject === subject && each.state !== 'not_done')
}

function difference<T>(
  present: readonly T[],
  wanted: readonly T[],
  textOf: (each: T) => string = String,
): { add: T[]; remove: T[] } {
  const [here, there] = [new Set(present.map(textOf)), new Set(wanted.map(textOf))]
  return {
    add: wanted.filter((each) => !here.has(textOf(each))),
    remove: present.filter((each) => !there.has(textOf(each))),
  }
}

/** How it is after a step was done; undefined: the registry is to be looked at for that. */
export function after(sight: Sight, step: Step): Sight | undefined {
  const { info } = sight
  const withStatuses = (statuses: readonly string[]): Sight => ({ ...sight, info: { ...info, statuses } })
  const without = (gone: readonly string[]): string[] => info.statuses.filter((status) => !gone.includes(status))
  switch (step.step) {
    case 'allow_updates':
      return withStatuses(okIfNone(without(['clientUpdateProhibited'])))
    case 'unlock':
      return withStatuses(okIfNone(without(step.statuses)))
    case 'prohibit_updates':
      return withStatuses([...without(['ok']), 'clientUpdateProhibited'])
    case 'lock':
      return withStatuses([...without(['ok']), ...step.statuses])
    case 'create_host':
      return withHost(sight, step.host.name, step.host.addresses)
    case 'change_host': {
      const addresses = sight.hosts.get(step.host) ?? []
      return withHost(sight, step.host, [...addresses.filter((each) => !step.remove.includes(each)), ...step.add])
    }
    case 'delete_host':
      return {
        ...sight,
        info: { ...info, subordinateHosts: info.subordinateHosts.filter((host) => host !== step.host) },
      }
    case 'remove_ds':
      return { ...sight, info: { ...info, isSigned: false, dsRecords: [] } }
    case 'set_nameservers': {
      const nameservers = [...info.nameservers.filter((host) => !step.remove.includes(host)), ...step.add].sort()
      return { ...sight, info: { ...info, nameservers } }
    }
    case 'create_contact':
      return { ...sight, hasContact: true }
    case 'set_contacts': {
      const gone = step.remove.map(contactText)
      const contacts = [...info.contacts.filter((each) => !gone.includes(contactText(each))), ...step.add]
      return { ...sight, info: { ...info, contacts, registrant: step.registrant } }
    }
    case 'approve':
    case 'reject': {
      const status = step.step === 'approve' ? 'clientApproved' : 'clientRejected'
      const { transfer } = sight
      const statuses = okIfNone(without(['pendingTransfer']))
      const sponsor = step.step === 'approve' ? (transfer?.requestedBy ?? '') : info.sponsor
      return { ...sight, info: { ...info, statuses, sponsor }, transfer: transfer && { ...transfer, status } }
    }
    case 'delete_contact':
    case 'set_code':
      return sight
    case 'restore':
    case 'report_restore':
      return undefined
  }
}

function withHost(sight: Sight, host: string, addresses: readonly string[]): Sight {
  const { info } = sight
  const subordinateHosts = [...new Set([...info.subordinateHosts, host])].sort()
  return { ...sight, hosts: new Map(sight.hosts).set(host, addresses), info: { ...info, subordinateHosts } }
}

function okIfNone(statuses: readonly string[]): readonly string[] {
  return statuses.length === 0 ? ['ok'] : statuses
}

/** What a step is about, for the record of its operation. */
export function subjectOf(act: Underway, step: Step): string {
  switch (step.step) {
    case 'create_host':
      return step.host.name
    case 'change_host':
    case 'delete_host':
      return step.host
    case 'create_contact':
      return act.wish.kind === 'contacts' ? act.wish.registrantId : act.name
    case 'delete_contact':
      return step.id
    default:
      return act.name
  }
}

/** The registry's refusal of a step, in words that its caller can act on; undefined: what was only tidied up may stay. */
export function failureOf(act: Underway, step: Step, reply: { code: number; message: string }): Failure | undefined {
  const own = `The registry says: ${reply.message} (${reply.code}).`
  const { name } = act
  const at = (path: string, code: string): Failure => {
    const message = `The registry refused the request. ${own}`
    return { code: 'validation_failed', message, details: [{ path, code, message: own }] }
  }
  if (step.step === 'delete_host' || step.step === 'delete_contact') return undefined
  if (step.step === 'restore' || step.step === 'report_restore')
    return { code: 'conflict', message: `The registry refused to restore ${name}. ${own}` }
  if (reply.code === 2304) {
    const message = `${name} is locked by its registry, or another change is in progress there. ${own}`
    return { code: 'domain_locked', message }
  }
  if (reply.code === 2303 && step.step === 'set_nameservers') return at('/nameservers', 'unknown_host')
  if (reply.code === 2201 || reply.code === 2303)
    return { code: 'conflict', message: `${name} is no longer registered with us. ${own}` }
  if (reply.code === 2301)
    return { code: 'conflict', message: `No transfer of ${name} is waiting for a decision. ${own}` }
  if (step.step === 'set_nameservers') return at('/nameservers', 'refused')
  if (step.step === 'remove_ds') {
    const message = `The registry did not remove the DS records of ${name}. With them, the domain would stop resolving on our nameservers. ${own}`
    return { code: 'conflict', message }
  }
  if (step.step === 'create_host' || step.step === 'change_host') return at('/hosts', 'refused')
  if (step.step === 'create_contact' || step.step === 'set_contacts') {
    const message = `The registry refused the contact. ${own}`
    return { code: 'contact_invalid', message, details: [{ path: '/contact_id', code: 'refused', message: own }] }
  }
  return { code: 'conflict', message: `The registry refused the request. ${own}` }
}
