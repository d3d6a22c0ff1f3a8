import type { Known } from './command-table.ts'
import { contactCheckData } from './contact/check.ts'
import { type ContactCreateData, contactCreateData } from './contact/create.ts'
import { type ContactInfoData, contactInfoData } from './contact/info.ts'
import { contact } from './contact/parts.ts'
import type { CheckData } from './content/availability.ts'
import { domainCheckData } from './domain/check.ts'
import { type DomainCreateData, domainCreateData } from './domain/create.ts'
import { type DomainInfoData, domainInfoData } from './domain/info.ts'
import { domain } from './domain/parts.ts'
import { type PendingActionData, pendingActionData } from './domain/pending-action.ts'
import { type DomainRenewData, domainRenewData } from './domain/renew.ts'
import { type DomainTransferData, domainTransferData } from './domain/transfer.ts'
import { type FeeCharged, fee, feeCharged } from './extensions/fee.ts'
import { type FeeCheckData, feeCheckData } from './extensions/fee-check.ts'
import { type GraceData, graceData, rgp } from './extensions/rgp.ts'
import { type DelegationSigner, delegationSigner, secDns } from './extensions/sec-dns.ts'
import { hostCheckData } from './host/check.ts'
import { type HostCreateData, hostCreateData } from './host/create.ts'
import { type HostInfoData, hostInfoData } from './host/info.ts'
import { host } from './host/parts.ts'

/** The possible data of a response. A response has at most one of them. */
export interface ResponseData {
  readonly 'domain:chkData'?: CheckData
  readonly 'domain:infData'?: DomainInfoData
  readonly 'domain:creData'?: DomainCreateData
  readonly 'domain:renData'?: DomainRenewData
  readonly 'domain:trnData'?: DomainTransferData
  readonly 'domain:panData'?: PendingActionData
  readonly 'contact:chkData'?: CheckData
  readonly 'contact:infData'?: ContactInfoData
  readonly 'contact:creData'?: ContactCreateData
  readonly 'host:chkData'?: CheckData
  readonly 'host:infData'?: HostInfoData
  readonly 'host:creData'?: HostCreateData
}

/** The extensions of responses. */
export interface ResponseExtensions {
  readonly 'secDNS:infData'?: DelegationSigner
  readonly 'rgp:infData'?: GraceData
  readonly 'rgp:upData'?: GraceData
  readonly 'fee:chkData'?: FeeCheckData
  readonly 'fee:creData'?: FeeCharged
  readonly 'fee:renData'?: FeeCharged
  readonly 'fee:trnData'?: FeeCharged
  readonly 'fee:updData'?: FeeCharged
  readonly 'fee:delData'?: FeeCharged
}

export const responseData: { readonly [K in keyof ResponseData]-?: Known<NonNullable<ResponseData[K]>> } = {
  'domain:chkData': { element: domain('chkData'), content: domainCheckData },
  'domain:infData': { element: domain('infData'), content: domainInfoData },
  'domain:creData': { element: domain('creData'), content: domainCreateData },
  'domain:renData': { element: domain('renData'), content: domainRenewData },
  'domain:trnData': { element: domain('trnData'), content: domainTransferData },
  'domain:panData': { element: domain('panData'), content: pendingActionData },
  'contact:chkData': { element: contact('chkData'), content: contactCheckData },
  'contact:infData': { element: contact('infData'), content: contactInfoData },
  'contact:creData': { element: contact('creData'), content: contactCreateData },
  'host:chkData': { element: host('chkData'), content: hostCheckData },
  'host:infData': { element: host('infData'), content: hostInfoData },
  'host:creData': { element: host('creData'), content: hostCreateData },
}

export const responseExtensions: {
  readonly [K in keyof ResponseExtensions]-?: Known<NonNullable<ResponseExtensions[K]>>
} = {
  'secDNS:infData': { element: secDns('infData'), content: delegationSigner },
  'rgp:infData': { element: rgp('infData'), content: graceData },
  'rgp:upData': { element: rgp('upData'), content: graceData },
  'fee:chkData': { element: fee('chkData'), content: feeCheckData },
  'fee:creData': { element: fee('creData'), content: feeCharged },
  'fee:renData': { element: fee('renData'), content: feeCharged },
  'fee:trnData': { element: fee('trnData'), content: feeCharged },
  'fee:updData': { element: fee('updData'), content: feeCharged },
  'fee:delData': { element: fee('delData'), content: feeCharged },
}
