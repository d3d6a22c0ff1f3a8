import { sampleName } from '@zonewright/contract'
import { Refusal } from '#platform/errors.ts'

/**
 * The catalog zone, which lists the zones for the nameservers. A customer's zone of this name would replace it. It is below
 * `.invalid`, because it must never be resolved (RFC 9432 §3).
 */
export const catalogName = 'catalog.zonewright.invalid'

/** The domain of the one-time nameserver names that prove control of a zone. It is next to one of our nameservers. */
export function verificationDomainOf(nameserver: string): string {
  return `verify.${nameserver.slice(nameserver.indexOf('.') + 1)}`
}

/** The names that customers may not add: the catalog zone, the name in sample events, the nameservers, and their verification domains. */
export function serviceNamesOf(nameservers: readonly string[]): string[] {
  return [...new Set([catalogName, sampleName, ...nameservers, ...nameservers.map(verificationDomainOf)])]
}

/** Whether a name is one of these, or above or below one. Names are lower-case A-labels without the trailing dot. */
export function isServiceName(name: string, serviceNames: readonly string[]): boolean {
  return serviceNames.some((own) => name === own || own.endsWith(`.${name}`) || name.endsWith(`.${own}`))
}

/** @throws Refusal `validation_failed` with the detail `reserved` for one of the service's own names */
export function refuseServiceName(name: string, serviceNames: readonly string[]): void {
  if (!isServiceName(name, serviceNames)) return
  const message = serviceNameMessage(name)
  throw new Refusal('validation_failed', message, { details: [{ path: '/name', code: 'reserved', message }] })
}

export function serviceNameMessage(name: string): string {
  return `${name} is reserved for the service. Use another name.`
}
