import type { FastifyInstance } from 'fastify'
import { Refusal } from '#platform/errors.ts'
import type { RequestLimits } from '#platform/http/request-limits.ts'
import type { Authenticate } from './call.ts'

/**
 * Counts requests that are not authenticated: public routes, sign-ins, pages, documents and unknown paths. Requests to other routes
 * are counted when their caller is known (`authenticateWithin`), and signed callbacks only if their signature is wrong (`mount`).
 */
export function limitStrangers(fastify: FastifyInstance, limits: RequestLimits): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    const { route, door, isUnlimited, isFile } = request.routeOptions.config
    const countsLater = (route ?? door ?? { who: 'public' }).who !== 'public' || route?.signed === true
    if (countsLater || isUnlimited) return done()
    const admitted = isFile
      ? limits.admitFile(request.ip)
      : limits.admit({ cookie: request.headers.cookie, address: request.ip })
    admitted.then(() => done(), done)
  })
}

/**
 * Applies the limits to authentication. A request without a key counts toward its session's or its address's limit before anything is
 * looked up. One with an invalid key or session counts toward its address's limit.
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
