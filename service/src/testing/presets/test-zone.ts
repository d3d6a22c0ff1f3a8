import assert from 'node:assert/strict'
import { fillTemplate } from '#modules/presets/fill-template.ts'
import { namesToRead, planPreset } from '#modules/presets/plan-preset.ts'
import { parseTemplate, type Template } from '#modules/presets/template.ts'
import { parseChange, planChange, type RrsetMove, type StoredRrset } from '#modules/records/index.ts'
import { Refusal } from '#platform/errors.ts'

/** The zone of the tests that use no database. */
export const zone = 'example.com'

/** The resulting zone, and its changes. */
export interface Applied {
  readonly after: StoredRrset[]
  readonly moves: readonly RrsetMove[]
}

/** Applies a template to the zone. The plan sees only the rrsets that it asked for. */
export function apply(
  existing: readonly StoredRrset[],
  template: Template,
  parameters: Record<string, string> = {},
): Applied {
  const wanted = fillTemplate(template, zone, parameters)
  const names = namesToRead(zone, wanted)
  const known = names === undefined ? existing : existing.filter(({ name }) => names.includes(name))
  const { moves } = planChange(
    { rrsetCount: existing.length, bytes: 0, rrsetLimit: null },
    known,
    planPreset(known, wanted),
    () => '/parameters',
  )
  const after = new Map(existing.map((rrset) => [`${rrset.name} ${rrset.type}`, rrset]))
  for (const { name, type, after: side } of moves)
    if (side) after.set(`${name} ${type}`, { name, type, ...side })
    else after.delete(`${name} ${type}`)
  return { after: [...after.values()], moves }
}

/** An rrset as stored. */
export const stored = (host: string, type: string, records: string[], ttl = 300): StoredRrset => ({
  name: host === '@' ? zone : `${host}.${zone}`,
  type,
  ttl,
  records: records.toSorted(),
})

/** A template with only records. */
export function templateOf(...records: object[]): Template {
  return parseTemplate({ providerId: 'p', providerName: 'P', serviceId: 's', serviceName: 'S', records })
}

/** `name type ttl values` of every rrset, by name and type. */
export function lines(rrsets: readonly StoredRrset[]): string[] {
  return rrsets.map(({ name, type, ttl, records }) => `${name} ${type} ${ttl} ${records.join(' | ')}`).sort()
}

/** Fails unless a customer could have created the zone record set by record set. */
export function assertValid(rrsets: readonly StoredRrset[]): void {
  assert.deepEqual(faultsOf(rrsets), [])
}

/** How a zone violates the rules for records. */
export function faultsOf(rrsets: readonly StoredRrset[]): unknown[] {
  const changes = rrsets.map(({ name, type, ttl, records }) =>
    parseChange(zone, { name: `${name}.`, type, ttl, ask: { kind: 'replace', records } }, pathsOf(`${name} ${type}`)),
  )
  const faults = changes.flatMap((change) => ('faults' in change ? change.faults : []))
  if (faults.length > 0) return [...faults]
  const good = changes.flatMap((change) => ('change' in change ? [change.change] : []))
  try {
    const { moves } = planChange({ rrsetCount: 0, bytes: 0, rrsetLimit: null }, [], good, String)
    return moves.filter(
      ({ after }, i) => after?.records.join() !== rrsets[i]?.records.join() || after?.records.length === 0,
    )
  } catch (error) {
    return error instanceof Refusal ? [...error.details] : [error]
  }
}

function pathsOf(path: string) {
  return { name: path, type: path, ttl: path, records: path, add: path, remove: path }
}
