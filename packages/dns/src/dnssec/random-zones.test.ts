import fc from 'fast-check'

/** Zone files for property tests. Contains no tests. */

const label = fc.constantFrom('a', 'b', '*', 'c', 'zz')
const relativeName = fc.array(label, { minLength: 1, maxLength: 3 }).map((labels) => labels.join('.'))

/** The types that a name may have. A wildcard has no NS and no DNAME, because their meaning is not defined (RFC 4592 §4.2, §4.4). */
const contents = {
  address: (name: string) => `${name} A 192.0.2.1\n${name} A 192.0.2.2\n`,
  text: (name: string) => `${name} TXT "x"\n`,
  both: (name: string) => `${name} A 192.0.2.3\n${name} TXT "y"\n`,
  alias: (name: string) => `${name} CNAME a.b\n`,
  away: (name: string) => `${name} CNAME www.elsewhere.\n`,
  dname: (name: string) => (name.startsWith('*') ? `${name} A 192.0.2.4\n` : `${name} DNAME c\n`),
  cut: (name: string) =>
    name.startsWith('*') ? `${name} TXT "z"\n` : `${name} NS ns.${name}\nns.${name} A 192.0.2.5\n`,
  signedCut: (name: string) =>
    name.startsWith('*') ? '' : `${name} NS ns.elsewhere.\n${name} DS 1 13 2 ${'00'.repeat(32)}\n`,
} as const

/** The records of some names, relative to the origin. */
export const zoneText: fc.Arbitrary<string> = fc
  .dictionary(relativeName, fc.constantFrom(...Object.values(contents)), { minKeys: 1, maxKeys: 8 })
  .map((names) =>
    Object.entries(names)
      // Otherwise, a name with an alias, or one in the glue of another name, would have two.
      .filter(([name]) => !name.startsWith('ns.'))
      .map(([name, write]) => write(name))
      .join(''),
  )

/** The types that questions ask for, without ANY. */
export const questionTypes = ['A', 'TXT', 'CNAME', 'DS', 'NS', 'DNAME'] as const

/** Questions with names relative to the origin, some of which are in the zone. */
export const questionText = fc.tuple(
  fc.oneof(relativeName, relativeName, fc.constantFrom('', 'x', 'x.a', 'x.x.b', 'ns.a')),
  fc.constantFrom(...questionTypes, 'ANY'),
)
