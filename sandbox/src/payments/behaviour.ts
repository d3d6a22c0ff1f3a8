import { type BehaviourReader, behaviourReader, type Limited, wholeWithin } from '../behaviours.ts'

/** How the gateway's API treats a call. Left to itself it does what it is asked and says so. */
export interface GatewayBehaviour extends Limited {
  /** Instead of the answer, once the call was carried out: close the connection (`drop`), or keep it open and say nothing (`hang`). */
  readonly answer?: 'drop' | 'hang'
  /** Refuse with this status of HTTP, and do nothing. */
  readonly status?: number
  /** Wait before anything is done. */
  readonly delayMs?: number
}

/** The calls of the API, as behaviours name them. */
export const gatewayCalls = ['initialize', 'verify', 'charge', 'deactivate', 'refund', 'refunds'] as const

export type GatewayCall = (typeof gatewayCalls)[number]

export const readGatewayBehaviour: BehaviourReader<GatewayBehaviour> = behaviourReader<GatewayBehaviour>({
  answer: (value) => value === 'drop' || value === 'hang',
  status: wholeWithin(400, 599),
  delayMs: wholeWithin(0, 120_000),
})

/** Which call a request is; undefined: none of the API's. */
export function callOf(method: string | undefined, path: string): GatewayCall | undefined {
  if (path.startsWith('/transaction/initialize')) return 'initialize'
  if (path.startsWith('/transaction/verify/')) return 'verify'
  if (path.startsWith('/transaction/charge_authorization')) return 'charge'
  if (path.startsWith('/customer/authorization/deactivate')) return 'deactivate'
  if (!path.startsWith('/refund')) return undefined
  return method === 'POST' ? 'refund' : 'refunds'
}
