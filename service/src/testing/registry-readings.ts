import type { DomainInfo, Reading } from '#ports/registry.ts'

/** What came with an answer. */
export const reply = { code: 1000, message: 'so it is', svTrid: 'SV-1' }

export const silence: Reading<never> = { kind: 'unknown', why: 'no answer', reply: null }

export function refused(code: number): Reading<never> {
  return { kind: 'refused', reply: { ...reply, code } }
}

/** The registry shows `shop.test` with this registrar. */
export function shown(sponsor: string, more: Partial<DomainInfo> = {}): Reading<DomainInfo> {
  const value: DomainInfo = {
    name: 'shop.test',
    roid: 'D1-TEST',
    statuses: ['ok'],
    graceStatuses: [],
    registrant: null,
    contacts: [],
    nameservers: [],
    subordinateHosts: [],
    isSigned: false,
    dsRecords: [],
    sponsor,
    createdAt: null,
    updatedAt: null,
    expiresAt: null,
    transferredAt: null,
    authInfo: null,
    ...more,
  }
  return { kind: 'done', value, reply }
}
