import type { DnsProbe, DnsServer } from '#ports/dns-probe.ts'
import type { ZoneContent } from './zone-content.ts'

/** Why no mail arrives at the target of an MX record. */
export type MailTargetFault = 'no_address' | 'missing' | 'alias' | 'ip_address' | 'null_mx'

/** How many targets outside the zone are queried; all at once. */
const maxAsked = 10

/** The host name of each MX record, without its trailing dot; empty: the null MX. */
export function mailTargets(content: ZoneContent): string[] {
  return content.records(content.zone, 'MX').map((record) => record.replace(/^\d+\s+/, '').slice(0, -1))
}

/** The MX targets that cannot receive mail, as far as the zone itself shows. `null_mx`: it says "no mail", but there are other MX records. */
export function faultyInZone(content: ZoneContent): Map<string, MailTargetFault> {
  const faulty = new Map<string, MailTargetFault>()
  const targets = mailTargets(content)
  for (const target of targets) {
    if (target === '') {
      if (targets.length > 1) faulty.set(target, 'null_mx')
      continue
    }
    const host = content.covers(target) ? target.slice(0, -content.zone.length - 1) : target
    if (/^\d{1,3}(\.\d{1,3}){3}$/.test(host)) faulty.set(target, 'ip_address')
    else if (isAnswered(content, target)) {
      if (content.records(target, 'CNAME').length > 0) faulty.set(target, 'alias')
      else if (!content.exists(target)) faulty.set(target, 'missing')
      else if (['A', 'AAAA', 'ALIAS'].every((type) => content.records(target, type).length === 0))
        faulty.set(target, 'no_address')
    }
  }
  return faulty
}

/** The MX targets that cannot receive mail. The resolvers are queried for those outside the zone; a target without a clear answer counts as good. */
export async function faultyMailTargets(
  content: ZoneContent,
  { probe, resolvers }: { readonly probe: DnsProbe; readonly resolvers: readonly DnsServer[] },
): Promise<ReadonlyMap<string, MailTargetFault>> {
  const faulty = faultyInZone(content)
  const elsewhere = [...new Set(mailTargets(content))].filter(
    (target) => target !== '' && !faulty.has(target) && !isAnswered(content, target),
  )
  await Promise.all(
    elsewhere.slice(0, maxAsked).map(async (target) => {
      const fault = await askAbout(probe, resolvers, target)
      if (fault !== undefined) faulty.set(target, fault)
    }),
  )
  return faulty
}

/** Whether the zone itself answers for a name. */
function isAnswered(content: ZoneContent, name: string): boolean {
  return content.covers(name) && !content.isElsewhere(name)
}

async function askAbout(
  probe: DnsProbe,
  resolvers: readonly DnsServer[],
  target: string,
): Promise<MailTargetFault | undefined> {
  for (const resolver of resolvers.slice(0, 2)) {
    const question = { name: `${target}.`, recursive: true }
    const answers = await Promise.all(['A', 'AAAA'].map((type) => probe.ask(resolver, { ...question, type })))
    const clear = answers.filter((answer) => answer.kind === 'answer')
    if (clear.some(({ aliases }) => aliases.length > 0)) return 'alias'
    if (clear.some(({ records }) => records.length > 0)) return undefined
    if (clear.some(({ exists }) => !exists)) return 'missing'
    if (clear.length === answers.length) return 'no_address'
  }
  return undefined
}
