import type { ChecklistItem } from '@zonewright/contract'
import type { Warning } from '#modules/records/index.ts'
import type { Alias } from './alias-targets.ts'
import type { ZoneContent } from './zone-content.ts'

/** How many of a long list are told. */
const told = 5

/** What is said of a zone's own names: where its web site is, who may certify it, and what leads nowhere. */
export function webItems(
  content: ZoneContent,
  dangling: readonly Alias[],
  warnings: readonly Warning[],
): ChecklistItem[] {
  return [apex(content), www(content), caa(content), aliases(dangling), records(warnings)]
}

function apex(content: ZoneContent): ChecklistItem {
  const { zone } = content
  const addresses = addressesAt(content, zone)
  const item = { id: 'apex', title: `${zone} has an address` } as const
  if (addresses.length > 0) return { ...item, state: 'done', detail: `${zone} is at ${some(addresses)}.`, fix: null }
  return {
    ...item,
    state: 'todo',
    detail: `${zone} has neither an A nor an AAAA record: nobody reaches it.`,
    fix: 'Add an A or AAAA record at @, or take the preset of the service that serves your site.',
  }
}

function www(content: ZoneContent): ChecklistItem {
  const name = `www.${content.zone}`
  const item = { id: 'www', title: `${name} has an address` } as const
  const found = [...addressesAt(content, name), ...content.records(name, 'CNAME').map((target) => target.slice(0, -1))]
  if (found.length > 0) return { ...item, state: 'done', detail: `${name} is at ${some(found)}.`, fix: null }
  if (content.isElsewhere(name))
    return {
      ...item,
      state: 'done',
      detail: `${name} is delegated to other nameservers, or stands below a DNAME.`,
      fix: null,
    }
  return {
    ...item,
    state: 'todo',
    detail: `${name} has no record: people who type it see an error.`,
    fix: `Add a CNAME at www with the value ${content.zone}., or an A or AAAA record of its own.`,
  }
}

function addressesAt(content: ZoneContent, name: string): readonly string[] {
  return [...content.records(name, 'A'), ...content.records(name, 'AAAA')]
}

function caa(content: ZoneContent): ChecklistItem {
  const item = { id: 'caa', title: 'Who may certify is said' } as const
  const issuers = content.records(content.zone, 'CAA')
  if (issuers.length > 0) return { ...item, state: 'done', detail: `CAA: ${some(issuers)}.`, fix: null }
  return {
    ...item,
    state: 'todo',
    detail: `${content.zone} has no CAA record: any certificate authority may issue for it (RFC 8659).`,
    fix: 'Add a CAA record with the authority that you use, such as `0 issue "letsencrypt.org"`.',
  }
}

function aliases(dangling: readonly Alias[]): ChecklistItem {
  const item = { id: 'aliases', title: 'Every alias leads somewhere' } as const
  if (dangling.length === 0) return { ...item, state: 'done', detail: 'No alias is known to lead nowhere.', fix: null }
  return {
    ...item,
    state: 'warning',
    detail: `${some(dangling.map(({ name, target }) => `${name} leads to ${target}, which does not exist`))}.`,
    fix: 'Delete these CNAME records or correct them: who gets hold of such a target serves pages under your name.',
  }
}

function records(warnings: readonly Warning[]): ChecklistItem {
  const item = { id: 'records', title: 'The records fit together' } as const
  if (warnings.length === 0) return { ...item, state: 'done', detail: 'Nothing odd was found.', fix: null }
  return {
    ...item,
    state: 'warning',
    detail: some(
      warnings.map(({ message }) => message),
      ' ',
    ),
    fix: 'Look at each of these records: they are allowed, and most likely not meant.',
  }
}

/** The first few, and how many more there are. */
export function some(texts: readonly string[], between = ', '): string {
  const more = texts.length > told ? ` and ${texts.length - told} more` : ''
  return texts.slice(0, told).join(between) + more
}
