/** What matters about an rrset to the others at its name. */
interface Typed {
  readonly type: string
}

interface Exclusion {
  readonly type: string
  readonly code: string
  readonly excludes: (type: string) => boolean
}

/**
 * Types that exclude others at their name: a CNAME excludes all (RFC 1034 §3.6.2, RFC 2181 §10.1), an ALIAS the types that it publishes itself, and
 * a DNAME delegations (RFC 6672 §2.4).
 */
const exclusions: readonly Exclusion[] = [
  { type: 'CNAME', code: 'cname_not_alone', excludes: () => true },
  { type: 'ALIAS', code: 'alias_not_alone', excludes: (type) => type === 'A' || type === 'AAAA' },
  { type: 'DNAME', code: 'dname_with_ns', excludes: (type) => type === 'NS' },
]

/** The types that exclude others. Only they matter to an rrset of any other type. */
export const excludingTypes: readonly string[] = exclusions.map(({ type }) => type)

/** Rrsets with which an rrset cannot share its name. */
export interface Clash<T extends Typed> {
  readonly code: string
  /** The type of the two that excludes the other. */
  readonly by: string
  readonly others: readonly T[]
}

/** The rrsets that cannot be at a name together with an rrset of this type. `here`: the rrsets at the name. */
export function clashesAt<T extends Typed>(type: string, here: readonly T[]): Clash<T>[] {
  return exclusions.flatMap(({ type: by, code, excludes }) => {
    const others = here.filter((other) =>
      type === by ? other.type !== by && excludes(other.type) : other.type === by && excludes(type),
    )
    return others.length === 0 ? [] : [{ code, by, others }]
  })
}

/** The message about a clash of an rrset. `others`: those that the message can name. `target`: of the ALIAS in the way. */
export function clashText(
  { name, type }: { readonly name: string; readonly type: string },
  { by }: { readonly by: string },
  others: readonly Typed[],
  target = '',
): string {
  if (by === 'CNAME')
    return type === by
      ? `${name} has ${typesText(others)} records. A CNAME must be the only record at its name.`
      : `${name} is a CNAME, so it cannot have other records. Delete the CNAME first.`
  if (by === 'DNAME') return `${name} cannot have both a DNAME and NS records. NS records delegate all names below it.`
  return type === by
    ? `${name} has ${typesText(others)} records. An ALIAS publishes the addresses of its target, so its name cannot have A or AAAA records. Delete them first.`
    : `${name} has an ALIAS to ${target}, which publishes its A and AAAA records. Delete the ALIAS first.`
}

/** The maximum number of types that one message names. */
const mostShown = 10

function typesText(rrsets: readonly Typed[]): string {
  const types = rrsets.slice(0, mostShown).map(({ type }) => type)
  if (rrsets.length > mostShown) types.push(`${rrsets.length - mostShown} more`)
  return types.length > 0 ? types.join(', ') : 'other'
}

/** The message about an rrset below a DNAME. `dname`: its name, if the message can name it. */
export function belowDnameText(name: string, dname: string | undefined): string {
  const whose = dname === undefined ? 'a DNAME above it' : `the DNAME of ${dname}`
  return `${name} would never be served, because ${whose} replaces all names below it (RFC 6672 §2.4).`
}

/** The message about a DNAME above records. `below`: one of them, if the message can name it. */
export function aboveRecordsText(
  name: string,
  below: { readonly name: string; readonly type: string } | undefined,
): string {
  const such = below === undefined ? '' : `, such as ${below.name} ${below.type}`
  return `${name} cannot have a DNAME while records exist below it${such}. A DNAME replaces all names below it (RFC 6672 §2.4).`
}
