import type { StoredRrset } from '#modules/records/index.ts'
import type { WantedRecord } from './fill-template.ts'
import { bytesOf, textOfTxt } from './txt.ts'

/**
 * Which values of an rrset can stay when the records of a template are added: the conflict rules of Domain Connect.
 *
 * - A CNAME is alone at its name.
 * - An NS below the apex is alone at its name, and nothing is below it; new records there remove it.
 * - A, AAAA and ALIAS are replaced together, so that all addresses lead to the same service.
 * - MX and SRV replace their own type.
 * - TXT follows the new record's `txtConflictMatchingMode`; everything else stays.
 */
export function valuesThatStay(rrset: StoredRrset, wanted: readonly WantedRecord[]): readonly string[] {
  if (wanted.some((record) => standsInTheWay(rrset, record))) return []
  if (rrset.type !== 'TXT') return rrset.records
  const here = wanted.filter(({ name, type }) => name === rrset.name && type === 'TXT')
  return rrset.records.filter((value) => !here.some((record) => replacesText(record, value)))
}

function standsInTheWay(old: StoredRrset, wanted: WantedRecord): boolean {
  if (old.type === 'NS' && isBelow(wanted.name, old.name)) return true
  if (wanted.type === 'NS' && isBelow(old.name, wanted.name)) return true
  if (old.name !== wanted.name) return false
  const types = [old.type, wanted.type]
  if (types.includes('CNAME') || types.includes('NS')) return true
  if (isAddress(old.type) && isAddress(wanted.type)) return true
  return old.type === wanted.type && (wanted.type === 'MX' || wanted.type === 'SRV')
}

function isBelow(name: string, ancestor: string): boolean {
  return name.endsWith(`.${ancestor}`)
}

function isAddress(type: string): boolean {
  return type === 'A' || type === 'AAAA' || type === 'ALIAS'
}

function replacesText(wanted: WantedRecord, value: string): boolean {
  if (!('txtConflict' in wanted)) return false
  const { txtConflict } = wanted
  if (txtConflict.mode === 'None') return false
  return txtConflict.mode === 'All' || textOfTxt(value).startsWith(bytesOf(txtConflict.prefix))
}
