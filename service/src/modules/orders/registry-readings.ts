import type { DomainInfo, Reading, Transfer } from '#ports/registry.ts'

/** There is no such object. */
export function notThere(reading: Reading<unknown> | undefined): boolean {
  return reading?.kind === 'refused' && reading.reply.code === 2303
}

/** Only who has a domain may ask about it at some registries: it is another's, and nothing of it is known. */
export function isOfAnother(info: Reading<DomainInfo> | undefined): boolean {
  return info?.kind === 'refused' && info.reply.code === 2201
}

/** Who has no part in a transfer is told so (2201, 2202), or that there is none (2301). Any other refusal says nothing of it. */
export function isUnknownThere(transfer: Reading<Transfer> | undefined): boolean {
  return transfer?.kind === 'refused' && [2201, 2202, 2301].includes(transfer.reply.code)
}
