import { mostAddresses, type ResolvedAlias, readResolved, readTargets, targetOf } from '#modules/alias/index.ts'
import type { Db } from '#platform/postgres/index.ts'
import type { StoredRrset } from './rrset.ts'
import type { RrsetChange } from './rrset-change.ts'
import type { Warning } from './warnings.ts'

/** The targets of the ALIAS records that changes write, as host names without the final dot. */
export function aliasTargets(changes: readonly RrsetChange[]): string[] {
  return writtenAliases(changes).map(targetOf)
}

/** The ALIAS records that changes write. */
function writtenAliases(changes: readonly RrsetChange[]): Alias[] {
  const ofAliases = changes.filter(({ type }) => type === 'ALIAS')
  return aliasesIn(
    ofAliases.map(({ name, type, ask }) => ({ name, type, records: ask.kind === 'edit' ? ask.add : ask.records })),
  )
}

/** An ALIAS with its value. */
type Alias = Pick<StoredRrset, 'name' | 'type' | 'records'>

function aliasesIn(rrsets: readonly Alias[]): Alias[] {
  return rrsets.filter(({ type, records }) => type === 'ALIAS' && records.length > 0)
}

/** The warnings about the targets of ALIAS records that changes write. Reads nothing if they write none. */
export function readAliasWarnings(db: Db, changes: readonly RrsetChange[]): Promise<Warning[]> {
  return aliasWarningsOf(db, writtenAliases(changes))
}

/** The same about the ALIAS records among some rrsets. */
export async function aliasWarningsOf(db: Db, rrsets: readonly Alias[]): Promise<Warning[]> {
  const aliases = aliasesIn(rrsets)
  if (aliases.length === 0) return []
  const known = await readTargets(db, aliases.map(targetOf))
  return aliases.flatMap((alias): Warning[] => {
    const { name, type } = alias
    const target = targetOf(alias)
    const { error = null, a = [], aaaa = [], found = 0 } = known.get(target) ?? {}
    const published = a.length + aaaa.length
    if (published === 0 || error !== null) {
      const meanwhile = published === 0 ? 'No addresses are published' : 'The last known addresses stay published'
      const message = `${name} ALIAS: ${target} cannot be resolved (${reasonOf(error)}). ${meanwhile} for now, and the service keeps trying.`
      return [{ name, type, code: 'alias_unresolved', message }]
    }
    if (found <= published) return []
    const message = `${name} ALIAS: ${target} has ${found} addresses. Only ${mostAddresses} of them are published, the lowest ones.`
    return [{ name, type, code: 'alias_truncated', message }]
  })
}

const reasons = {
  timeout: 'its DNS servers did not answer in time',
  server_failure: 'its DNS servers reported an error',
  no_address: 'it has no A or AAAA record',
  too_many_steps: 'it leads through a loop or too many aliases',
  private_address: 'it has an address that is not public',
}

/** `error` null: there was no answer yet. */
function reasonOf(error: keyof typeof reasons | null): string {
  return reasons[error ?? 'timeout']
}

/** What an ALIAS publishes, as the API shows it. */
export type Resolved = Pick<ResolvedAlias, 'a' | 'aaaa' | 'checkedAt' | 'error'>

/** What an ALIAS that is being written publishes, before or after the commit. Undefined if the rrset is not an ALIAS; reads nothing then. */
export async function resolvedByWrite(db: Db, rrset: Alias): Promise<Resolved | undefined> {
  if (rrset.type !== 'ALIAS') return undefined
  const known = (await readTargets(db, [targetOf(rrset)])).get(targetOf(rrset))
  return known ?? { a: [], aaaa: [], checkedAt: null, error: null }
}

/** What the ALIAS records among some rrsets publish, by name. Reads nothing if there is none. */
export async function resolvedOf(
  db: Db,
  zoneId: string,
  rrsets: readonly { readonly name: string; readonly type: string }[],
): Promise<ReadonlyMap<string, ResolvedAlias>> {
  const names = rrsets.filter(({ type }) => type === 'ALIAS').map(({ name }) => name)
  return names.length === 0 ? new Map() : readResolved(db, zoneId, names)
}
