import { subdomainRoutes, type WireAvailability } from '@zonewright/contract'
import type { HttpServer } from '#http/server.ts'
import { serviceNamesOf, type TakingParts, type ZoneViewParts, zoneViews } from '#modules/zones/index.ts'
import { Refusal } from '#platform/errors.ts'
import { ClaimGroup } from './claim-group.ts'
import { claimSubdomains, refusalOfClaim } from './claim-subdomain.ts'
import { KeptBelow, keptBelowMaxAgeMs } from './kept-below.ts'
import { nameTaken, type Obstacle, obstacleOf, parseClaim } from './rules.ts'

/** Dependencies of the routes of free subdomains on other modules. */
export interface SubdomainRoutesContext extends ZoneViewParts, TakingParts {
  /** Domains under which names can be claimed: live zones here. */
  readonly freeParents: readonly string[]
  readonly keptBelowMaxAgeMs?: number
  /** Our nameservers' host names. */
  readonly nameservers: readonly string[]
}

export function mountSubdomainRoutes(server: HttpServer, context: SubdomainRoutesContext): void {
  const { db } = server.database
  const { freeParents } = context
  const serviceNames = serviceNamesOf(context.nameservers)
  const keptBelow = new KeptBelow(db, freeParents, context.keptBelowMaxAgeMs ?? keptBelowMaxAgeMs)
  const views = zoneViews(context)
  const group = new ClaimGroup(server.database, context)

  server.mount(subdomainRoutes.freeSubdomainAvailability, async ({ caller, query }) => {
    const wish = parseClaim(query.name, freeParents, serviceNames)
    const answer = (name: string, obstacle: Obstacle | undefined): WireAvailability => ({
      name,
      available: obstacle === undefined,
      reason: obstacle?.reason ?? null,
      message: obstacle?.message ?? null,
      parents: [...freeParents],
    })
    if ('reason' in wish) return { status: 200, body: answer(query.name, wish) }
    const refusal = (await keptBelow.has(wish.name))
      ? nameTaken(wish.name)
      : await refusalOfClaim(db, { ...wish, accountId: caller.accountId })
    return { status: 200, body: answer(wish.name, refusal && obstacleOf(refusal)) }
  })

  server.mount(subdomainRoutes.claimSubdomain, async ({ caller, actor, body, isKept, transact }) => {
    const wish = parseClaim(body.name, freeParents, serviceNames)
    if ('reason' in wish) {
      const { reason: code, message } = wish
      throw new Refusal('validation_failed', message, { details: [{ path: '/name', code, message }] })
    }
    if (await keptBelow.has(wish.name)) throw nameTaken(wish.name)
    const claim = { actor, accountId: caller.accountId, ...wish }
    const answerFor = async (tx: typeof db, zoneId: string) => {
      const answer = await views.answer(tx, caller, zoneId, 201)
      return { ...answer, location: `/zones/${zoneId}` }
    }
    if (!isKept) return answerFor(db, await group.claim(claim))
    // The claim runs alone, because its response is stored in the same transaction.
    return transact(async (tx) => {
      const [outcome] = await claimSubdomains(tx, context, [claim])
      if (outcome === undefined) throw new Error('a claim was left without a result')
      if ('refusal' in outcome) throw outcome.refusal
      return answerFor(tx, outcome.zoneId)
    })
  })
}
