import { type BehaviourReader, behaviourReader, type Limited, wholeWithin } from '../behaviours.ts'

/** How the gateway's API handles a call. By default, it executes the call and responds. */
export interface GatewayBehaviour extends Limited {
  /** Instead of responding after the call was executed: close the connection (`drop`), or keep it open (`hang`). */
  readonly answer?: 'drop' | 'hang'
  /** Refuse the call with this HTTP status, and do nothing. */
  readonly status?: number
  /** Wait this long before anything else. */
  readonly delayMs?: number
}

/** The calls of the API, as behaviors name them. */
export const gatewayCalls = ['initialize', 'verify', 'charge', 'deactivate', 'refund', 'refunds'] as const

export type GatewayCall = (typeof gatewayCalls)[number]

export const readGatewayBehaviour: BehaviourReader<GatewayBehaviour> = behaviourReader<GatewayBehaviour>({
  answer: (value) => value === 'drop' || value === 'hang',
  status: wholeWithin(400, 599),
  delayMs: wholeWithin(0, 120_000),
})

/** The API call of a request; undefined if it is not one. */
export function callOf(method: string | undefined, path: string): GatewayCall | undefined {
  if (path.startsWith('/transaction/initialize')) return 'initialize'
  if (path.startsWith('/transaction/verify/')) return 'verify'
  if (path.startsWith('/transaction/charge_authorization')) return 'charge'
  if (path.startsWith('/customer/authorization/deactivate')) return 'deactivate'
  if (!path.startsWith('/refund')) return undefined
  return method === 'POST' ? 'refund' : 'refunds'
}
