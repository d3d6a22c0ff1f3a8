import type { FastifyInstance } from 'fastify'
import { Refusal } from '../errors.ts'
import type { RequestLimits } from './request-limits.ts'
import type { Authenticate } from './server.ts'

/**
 * Counts whatever is not authenticated: public routes, sign-ins, pages, documents, and paths where nothing is. What a route of a caller
 * counts for is known once it is known who calls (`authenticateWithin`); a signed callback counts when its signature is wrong (`mount`).
 */
export function limitStrangers(fastify: FastifyInstance, limits: RequestLimits): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    const { route, isUnlimited, isFile } = request.routeOptions.config
    const countsLater = route !== undefined && (route.who !== 'public' || route.signed === true)
    if (countsLater || isUnlimited) return done()
    const admitted = isFile
      ? limits.admitFile(request.ip)
      : limits.admit({ cookie: request.headers.cookie, address: request.ip })
    admitted.then(() => done(), done)
  })
}

/**
 * Authenticates within the limits: a request without a key is counted for its session or its address before anything is looked up, and one
 * whose key or session turns out to be none for its address.
 */
export function authenticateWithin(limits: RequestLimits, authenticate: Authenticate): Authenticate {
  return async (credentials) => {
    const { authorization, address, wasAdmitted } = credentials
    const isKeyless = authorization === undefined && !wasAdmitted
    const headers = isKeyless ? await limits.admit(credentials) : undefined
    try {
      const authenticated = await authenticate(credentials)
      return headers ? { ...authenticated, headers } : authenticated
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (error.code === 'rate_limited' && authorization !== undefined) await limits.holdKey(authorization)
      const wasCounted = headers !== undefined && headers['ratelimit'] === undefined
      if (isStranger(error) && !wasCounted) await limits.admitStranger(address)
      throw error
    }
  }
}

function isStranger({ code }: Refusal): boolean {
  return code === 'invalid_key' || code === 'signed_out'
}
