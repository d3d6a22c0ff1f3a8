import type { DomainInfo, Reading, Transfer, TransferStatus } from '#ports/registry.ts'

/** The reply that comes with an answer. */
export const reply = { code: 1000, message: 'so it is', svTrid: 'SV-1' }

export const silence: Reading<never> = { kind: 'unknown', why: 'no answer', reply: null }

export function refused(code: number): Reading<never> {
  return { kind: 'refused', reply: { ...reply, code } }
}

/** The least that a registry may show about a domain: that it exists and is with us. */
export const shop: DomainInfo = {
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
  sponsor: 'us',
  createdAt: null,
  updatedAt: null,
  expiresAt: null,
  transferredAt: null,
  authInfo: null,
}

/** The registry shows `shop.test` at this registrar. */
export function shown(sponsor: string, more: Partial<DomainInfo> = {}): Reading<DomainInfo> {
  return { kind: 'done', value: { ...shop, sponsor, ...more }, reply }
}

/** When our side requested the transfers below. */
export const requestedAt = new Date('2026-03-01T12:00:00Z')

/** A transfer that `us` requested, of a domain that is with `them`. */
export function transferred(status: TransferStatus, more: Partial<Transfer> = {}): Reading<Transfer> {
  const actBy = new Date('2026-03-06T12:00:00Z')
  const by = { requestedBy: 'us', requestedAt, actor: 'them', actBy, expiresAt: null }
  return { kind: 'done', value: { name: 'shop.test', status, ...by, ...more }, reply }
}
