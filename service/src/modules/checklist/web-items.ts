import type { ChecklistItem } from '@zonewright/contract'
import type { Warning } from '#modules/records/index.ts'
import type { Alias } from './alias-targets.ts'
import type { ZoneContent } from './zone-content.ts'

/** How many entries of a long list are shown. */
const told = 5

/** Items about a zone's own names: its web site, who may issue certificates, and aliases without a target. */
export function webItems(
  content: ZoneContent,
  dangling: readonly Alias[],
  warnings: readonly Warning[],
): ChecklistItem[] {
  return [apex(content), www(content, dangling), caa(content), aliases(dangling), records(warnings)]
}

function apex(content: ZoneContent): ChecklistItem {
  const { zone } = content
  const addresses = addressesAt(content, zone)
  const item = { id: 'apex', title: `${zone} has an address` } as const
  if (addresses.length > 0)
    return { ...item, state: 'done', detail: `${zone} points to ${some(addresses)}.`, fix: null }
  return {
    ...item,
    state: 'todo',
    detail: `${zone} has no A or AAAA record, so it cannot be reached.`,
    fix: 'Add an A, AAAA or ALIAS record at @, or apply the preset of your hosting provider.',
  }
}

function www(content: ZoneContent, dangling: readonly Alias[]): ChecklistItem {
  const name = `www.${content.zone}`
  const item = { id: 'www', title: `${name} has an address` } as const
  const found = [...addressesAt(content, name), ...content.records(name, 'CNAME').map((target) => target.slice(0, -1))]
  const broken = dangling.find((alias) => alias.name === name)
  if (broken !== undefined)
    return {
      ...item,
      state: 'warning',
      detail: `${name} points to ${broken.target}, which does not exist, so visitors get an error.`,
      fix: 'Correct the CNAME record at www.',
    }
  if (found.length > 0) return { ...item, state: 'done', detail: `${name} points to ${some(found)}.`, fix: null }
  if (content.isElsewhere(name))
    return {
      ...item,
      state: 'done',
      detail: `${name} is delegated to other nameservers, or is below a DNAME.`,
      fix: null,
    }
  return {
    ...item,
    state: 'todo',
    detail: `${name} has no record, so visitors get an error.`,
    fix: `Add a CNAME at www with the value ${content.zone}., or an A or AAAA record of its own.`,
  }
}

function addressesAt(content: ZoneContent, name: string): readonly string[] {
  const targets = content.records(name, 'ALIAS').map((target) => target.slice(0, -1))
  return [...content.records(name, 'A'), ...content.records(name, 'AAAA'), ...targets]
}

function caa(content: ZoneContent): ChecklistItem {
  const item = { id: 'caa', title: 'CAA records' } as const
  const issuers = content.records(content.zone, 'CAA')
  if (issuers.length > 0) return { ...item, state: 'done', detail: `CAA: ${some(issuers)}.`, fix: null }
  return {
    ...item,
    state: 'todo',
    detail: `${content.zone} has no CAA record, so any certificate authority may issue certificates for it (RFC 8659).`,
    fix: 'Add a CAA record for the authority that you use, such as `0 issue "letsencrypt.org"`.',
  }
}

function aliases(dangling: readonly Alias[]): ChecklistItem {
  const item = { id: 'aliases', title: 'Alias targets' } as const
  if (dangling.length === 0)
    return { ...item, state: 'done', detail: 'All alias targets exist, as far as we know.', fix: null }
  return {
    ...item,
    state: 'warning',
    detail: `${some(dangling.map(({ name, target }) => `${name} points to ${target}, which does not exist`))}.`,
    fix: 'Delete or correct these CNAME records. Whoever registers such a target can serve pages under your name.',
  }
}

function records(warnings: readonly Warning[]): ChecklistItem {
  const item = { id: 'records', title: 'Record warnings' } as const
  if (warnings.length === 0) return { ...item, state: 'done', detail: 'No problems found.', fix: null }
  return {
    ...item,
    state: 'warning',
    detail: some(
      warnings.map(({ message }) => message),
      ' ',
    ),
    fix: 'Check these records. They are allowed, but are probably mistakes.',
  }
}

/** The first few, and how many more there are. */
export function some(texts: readonly string[], between = ', '): string {
  const more = texts.length > told ? ` and ${texts.length - told} more` : ''
  return texts.slice(0, told).join(between) + more
}
