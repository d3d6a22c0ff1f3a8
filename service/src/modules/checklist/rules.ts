import { type ChecklistItem, checklistIds, shownDelegation } from '@zonewright/contract'
import type { DelegationRow } from '#modules/delegation/index.ts'
import type { Warning } from '#modules/records/index.ts'
import type { Challenge } from '#modules/zones/index.ts'
import type { Alias } from './alias-targets.ts'
import { mailItems } from './mail-items.ts'
import type { MailTargetFault } from './mail-targets.ts'
import { webItems } from './web-items.ts'
import type { ZoneContent } from './zone-content.ts'

/** The facts about a zone that the checklist uses. */
export interface ChecklistFacts {
  readonly zone: { readonly name: string; readonly isLive: boolean; readonly isBelowOwn: boolean }
  /** The challenge; undefined: none is needed, or this caller may not see it. */
  readonly challenge: (Challenge & { readonly contestEndsAt: Date | null }) | undefined
  readonly delegation: DelegationRow
  /** The nameservers that the zone must be delegated to. */
  readonly expected: readonly string[]
  /** Every nameserver: whether it serves the current serial, and since when it has stopped following the zone, if it has. */
  readonly nameservers: readonly {
    readonly name: string
    readonly inSync: boolean
    readonly stalledSince: Date | null
  }[]
  readonly content: ZoneContent
  readonly dangling: readonly Alias[]
  /** By the targets of MX records. */
  readonly faultyMailTargets: ReadonlyMap<string, MailTargetFault>
  readonly warnings: readonly Warning[]
  readonly now: Date
}

/** Checks a zone: what is done, what is left to do, and what exists but does not work. */
export function checklistOf(facts: ChecklistFacts): ChecklistItem[] {
  const items = [
    verified(facts),
    delegated(facts),
    ...expiry(facts),
    replicated(facts),
    ...webItems(facts.content, facts.dangling, facts.warnings),
    ...mailItems(facts.content, facts.faultyMailTargets),
  ]
  return items.sort((a, b) => checklistIds.indexOf(a.id) - checklistIds.indexOf(b.id))
}

function verified({ zone, challenge }: ChecklistFacts): ChecklistItem {
  const item = { id: 'verified', title: 'Control of the name' } as const
  const proof =
    challenge &&
    `Add the TXT record ${challenge.txtName} with the value ${challenge.txtValue} at the current DNS provider of the domain, or add the nameserver ${challenge.nameserver} at its registrar. Then check again.`
  if (!zone.isLive)
    return {
      ...item,
      state: 'todo',
      detail: `${zone.name} is not published until control of it is proved.`,
      fix: proof ?? 'The owner of the zone can see how to prove control.',
    }
  if (challenge?.contestEndsAt)
    return {
      ...item,
      state: 'warning',
      detail: `Another account has proved control of ${zone.name}. The zone moves there at ${challenge.contestEndsAt.toISOString()} unless you prove control before then.`,
      fix: proof ?? null,
    }
  return { ...item, state: 'done', detail: `${zone.name} is live.`, fix: null }
}

const failures: Readonly<Record<NonNullable<DelegationRow['failure']>, string>> = {
  no_parent: 'its servers were not found',
  timeout: 'its servers did not answer',
  lame: 'its servers did not know their own zone',
  disagree: 'its servers contradicted each other',
  one_server: 'only one of its servers reports a delegation to this service',
}

function delegated({ zone, delegation, expected }: ChecklistFacts): ChecklistItem {
  const item = { id: 'delegated', title: 'Nameservers' } as const
  const { failure, parentNameservers } = delegation
  const state = shownDelegation(delegation.state, parentNameservers, expected)
  const fix = zone.isBelowOwn
    ? `The zone above ${zone.name} delegates to it automatically when it is delegated here itself. See its checklist.`
    : `Set the nameservers to ${expected.join(' and ')} at the registrar of ${zone.name}. Remove all others.`
  if (!zone.isLive)
    return { ...item, state: 'todo', detail: 'This is checked when the zone is live.', fix: 'Prove control first.' }
  if (failure !== null)
    return {
      ...item,
      state: 'warning',
      detail: `The zone above ${zone.name} gave no usable answer: ${failures[failure]}. Its last known state is kept.`,
      fix: 'We retry automatically. If this continues, contact the registrar.',
    }
  if (state === 'live')
    return { ...item, state: 'done', detail: `${zone.name} is delegated to ${expected.join(' and ')}.`, fix: null }
  const now = parentNameservers.length > 0 ? ` It is delegated to ${parentNameservers.join(', ')}.` : ''
  const said = {
    waiting: { state: 'todo', detail: `${zone.name} is not delegated to this service yet.${now}` },
    partial: { state: 'warning', detail: `${zone.name} is only partly delegated to this service.${now}` },
    lost: { state: 'warning', detail: `${zone.name} is no longer delegated to this service.${now}` },
    missing: {
      state: 'warning',
      detail: `The parent zone no longer has ${zone.name}. Check that it is still registered.`,
    },
  } as const
  return { ...item, ...said[state], fix }
}

/** A registration that ends within this time should be renewed. */
const expiresSoonMs = 30 * 86_400_000

/** None if it is unknown when the registration ends. */
function expiry({ zone, delegation: { registryExpiresAt }, now }: ChecklistFacts): ChecklistItem[] {
  if (registryExpiresAt === null) return []
  const item = { id: 'expiry', title: 'Registration' } as const
  const leftMs = registryExpiresAt.getTime() - now.getTime()
  const day = registryExpiresAt.toISOString().slice(0, 10)
  if (leftMs > expiresSoonMs)
    return [{ ...item, state: 'done', detail: `${zone.name} is registered until ${day}.`, fix: null }]
  const detail = `According to the registry, the registration of ${zone.name} ${leftMs > 0 ? 'ends' : 'ended'} on ${day}.`
  return [
    { ...item, state: 'warning', detail, fix: 'Renew it at your registrar. Without it, the domain stops working.' },
  ]
}

function replicated({ zone, nameservers }: ChecklistFacts): ChecklistItem {
  const item = { id: 'replicated', title: 'Propagation' } as const
  if (!zone.isLive)
    return {
      ...item,
      state: 'todo',
      detail: 'The nameservers get the zone when it is live.',
      fix: 'Prove control first.',
    }
  const late = nameservers.filter(({ inSync }) => !inSync).map(({ name }) => name)
  if (late.length === 0 && nameservers.length > 0)
    return { ...item, state: 'done', detail: 'All nameservers serve the current serial.', fix: null }
  const stalled = nameservers.filter((each) => !each.inSync && each.stalledSince !== null)
  if (stalled.length > 0)
    return {
      ...item,
      state: 'warning',
      detail: stalled
        .map(({ name, stalledSince }) => `${name} has not updated the zone since ${stalledSince?.toISOString()}.`)
        .join(' '),
      fix: 'The operator has been alerted. If you added an unusual record shortly before, the nameserver may be refusing the zone because of it.',
    }
  return {
    ...item,
    state: 'warning',
    detail: `The current serial is not served yet by ${late.length > 0 ? late.join(' and ') : 'any nameserver'}.`,
    fix: 'This takes a few seconds after a change. You do not need to do anything. If it takes longer, contact support.',
  }
}
