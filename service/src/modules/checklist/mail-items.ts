import type { ChecklistItem } from '@zonewright/contract'
import { isSpf, lookupsOf, maxSpfLookups, termsOf, textOfTxt } from '#modules/presets/index.ts'
import { type MailTargetFault, mailTargets } from './mail-targets.ts'
import { some } from './web-items.ts'
import type { ZoneContent } from './zone-content.ts'

/** The mail setup of a zone. */
interface MailFacts {
  readonly zone: string
  readonly mx: readonly string[]
  readonly targets: readonly string[]
  readonly faulty: ReadonlyMap<string, MailTargetFault>
  /** The null MX: the domain accepts no mail (RFC 7505). */
  readonly takesNone: boolean
  /** Record data of the SPF records at the apex. */
  readonly spf: readonly string[]
  /** The SPF record says that no server sends mail. */
  readonly sendsNone: boolean
  readonly hasDkim: boolean
  /** Texts of the DMARC records. */
  readonly dmarc: readonly string[]
  /** DMARC is set elsewhere, through an alias or a delegation. */
  readonly dmarcElsewhere: boolean
}

/** Checks whether MX, SPF, DKIM and DMARC of a zone exist and are consistent. */
export function mailItems(content: ZoneContent, faulty: ReadonlyMap<string, MailTargetFault>): ChecklistItem[] {
  const facts = mailFacts(content, faulty)
  return [mx(facts), spf(facts), dkim(facts), dmarc(facts)]
}

function mailFacts(content: ZoneContent, faulty: ReadonlyMap<string, MailTargetFault>): MailFacts {
  const { zone } = content
  const mx = content.records(zone, 'MX')
  const targets = mailTargets(content)
  const spf = content.records(zone, 'TXT').filter(isSpf)
  const dkimBelow = `._domainkey.${zone}`
  const dmarcName = `_dmarc.${zone}`
  return {
    zone,
    mx,
    targets,
    faulty,
    takesNone: targets.length === 1 && targets[0] === '',
    spf,
    sendsNone: spf.length === 1 && termsOf(textOfTxt(spf[0] ?? '').toLowerCase()).join(' ') === 'v=spf1 -all',
    hasDkim:
      content.isElsewhere(dkimBelow.slice(1)) ||
      content.rrsets.some(({ name, type }) => name.endsWith(dkimBelow) && (type === 'TXT' || type === 'CNAME')),
    dmarc: content.texts(dmarcName).filter((text) => /^v=DMARC1\s*(;|$)/.test(text)),
    dmarcElsewhere: content.records(dmarcName, 'CNAME').length > 0 || content.isElsewhere(dmarcName),
  }
}

const noMail = 'apply the preset "no mail here"'

const targetFaults: Readonly<Record<MailTargetFault, (target: string) => string>> = {
  no_address: (target) => `${target} has no A or AAAA record`,
  missing: (target) => `${target} does not exist`,
  alias: (target) => `${target} is an alias (CNAME), which mail servers may refuse (RFC 2181 §10.3)`,
  ip_address: (target) => `${target} is an IP address, but only a host name is allowed`,
  null_mx: () => 'the record "0 ." says that there is no mail, but it is not the only MX record (RFC 7505 §3)',
}

function mx({ zone, mx, targets, faulty, takesNone, spf, sendsNone }: MailFacts): ChecklistItem {
  const item = { id: 'mx', title: 'Incoming mail (MX)' } as const
  if (takesNone)
    return { ...item, state: 'done', detail: `${zone} accepts no mail, and its records declare this.`, fix: null }
  if (faulty.size > 0) {
    const isAll = targets.every((target) => faulty.has(target))
    const reasons = some([...faulty].map(([target, fault]) => targetFaults[fault](target)))
    return {
      ...item,
      state: 'warning',
      detail: `${isAll ? `Mail to ${zone} may not arrive` : `Some mail to ${zone} may not arrive`}: ${reasons}.`,
      fix: 'Correct the MX records: each of them names a host that has an A or AAAA record of its own.',
    }
  }
  if (mx.length > 0 && sendsNone)
    return {
      ...item,
      state: 'warning',
      detail: `${zone} receives mail, but its SPF record allows no senders, so receivers reject mail from it.`,
      fix: 'Add your senders to the SPF record, or remove the MX records.',
    }
  if (mx.length > 0) return { ...item, state: 'done', detail: `Mail is delivered to ${some(mx)}.`, fix: null }
  return {
    ...item,
    state: 'todo',
    detail: `${zone} has no MX record${spf.length > 0 ? ', although it has an SPF record' : ''}. Senders then try its A or AAAA address.`,
    fix: `Apply the preset of your mail provider, or ${noMail}.`,
  }
}

function spf({ zone, mx, takesNone, spf }: MailFacts): ChecklistItem {
  const item = { id: 'spf', title: 'SPF record' } as const
  const odd = (detail: string, fix: string): ChecklistItem => ({ ...item, state: 'warning', detail, fix })
  const [record, ...more] = spf
  if (record === undefined)
    return {
      ...item,
      state: 'todo',
      detail: `${zone} has no SPF record, so anyone can send mail in its name.`,
      fix:
        mx.length > 0 && !takesNone
          ? 'Apply the preset of your mail provider, or add the TXT record `v=spf1 mx ~all` at @.'
          : `Add the TXT record \`v=spf1 -all\` at @, or ${noMail}.`,
    }
  if (more.length > 0)
    return odd(
      `${zone} has ${spf.length} SPF records. Receivers treat this as an error (RFC 7208 §4.5).`,
      'Merge them into one record.',
    )
  const terms = termsOf(textOfTxt(record).toLowerCase())
  if (terms.some((term) => term === '+all' || term === 'all'))
    return odd('The SPF record allows anyone to send mail in your name.', 'End it with ~all or -all.')
  if (lookupsOf(record) > maxSpfLookups)
    return odd(
      `The SPF record needs ${lookupsOf(record)} DNS lookups. Receivers give up after ${maxSpfLookups} (RFC 7208 §4.6.4).`,
      'Remove services that you no longer use.',
    )
  return { ...item, state: 'done', detail: `${textOfTxt(record)}`, fix: null }
}

function dkim({ zone, sendsNone, hasDkim }: MailFacts): ChecklistItem {
  const item = { id: 'dkim', title: 'DKIM key' } as const
  if (hasDkim) return { ...item, state: 'done', detail: `There is a key below _domainkey.${zone}.`, fix: null }
  if (sendsNone) return { ...item, state: 'done', detail: `${zone} sends no mail, so it needs no key.`, fix: null }
  return {
    ...item,
    state: 'todo',
    detail: `There is no key below _domainkey.${zone}, so receivers cannot detect forged mail.`,
    fix: 'Turn on DKIM at your mail provider, then add the record that it shows.',
  }
}

function dmarc({ zone, dmarc, dmarcElsewhere, spf, hasDkim }: MailFacts): ChecklistItem {
  const item = { id: 'dmarc', title: 'DMARC policy' } as const
  const odd = (detail: string, fix: string): ChecklistItem => ({ ...item, state: 'warning', detail, fix })
  const [record, ...more] = dmarc
  if (record === undefined && dmarcElsewhere)
    return { ...item, state: 'done', detail: `_dmarc.${zone} is managed elsewhere.`, fix: null }
  if (record === undefined)
    return {
      ...item,
      state: 'todo',
      detail: `There is no DMARC record at _dmarc.${zone}.`,
      fix: 'Apply the preset "DMARC start". It only monitors, and you can make it stricter later.',
    }
  if (more.length > 0)
    return odd(
      `_dmarc.${zone} has ${dmarc.length} DMARC records, so receivers ignore all of them (RFC 7489 §6.6.3).`,
      'Keep one and delete the others.',
    )
  const policy = /;\s*p\s*=\s*(\w+)/i.exec(record)?.[1]?.toLowerCase()
  if (policy === undefined || !['none', 'quarantine', 'reject'].includes(policy))
    return odd('The DMARC record has no policy.', 'Add `p=none`, `p=quarantine` or `p=reject` after `v=DMARC1;`.')
  if (policy !== 'none' && spf.length === 0 && !hasDkim)
    return odd(
      `DMARC asks receivers to ${policy} mail that passes neither SPF nor DKIM, which is all of your mail.`,
      'Set up SPF and DKIM, or start with `p=none`.',
    )
  const detail = policy === 'none' ? 'DMARC only monitors (p=none).' : `The policy is ${policy}.`
  return { ...item, state: 'done', detail, fix: null }
}
