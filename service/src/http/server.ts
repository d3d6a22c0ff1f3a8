import type { DoorRoute, Route } from '@zonewright/contract'
import type { FastifyInstance } from 'fastify'
import type { HeldBytes } from '#platform/http/held-bytes.ts'
import type { RequestLimits } from '#platform/http/request-limits.ts'
import type { Database } from '#platform/postgres/index.ts'
import type { SecretBox } from '#platform/secrets.ts'
import type { Admitted, Authenticate, Handler, MountOptions } from './call.ts'
import type { ChangeBudget } from './change-budget.ts'
import type { Door } from './door.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Admitted
  }
  interface FastifyContextConfig {
    route?: Route
    door?: DoorRoute
    /** Load balancers call it, and are never refused. */
    isUnlimited?: true
    /** A page or file of the dashboard. */
    isFile?: true
  }
}

/** The HTTP side of the service: modules mount their routes on it. `createHttpServer` makes it. */
export interface HttpServer {
  readonly fastify: FastifyInstance
  readonly database: Database
  readonly authenticate: Authenticate
  readonly secrets: SecretBox
  /** The bytes of bodies and responses that this process holds. */
  readonly held: HeldBytes
  /** Undefined: only keys are limited. */
  readonly limits: RequestLimits | undefined
  /** Undefined: accounts have no daily change budget. */
  readonly budget: ChangeBudget | undefined
  /** The routes mounted so far: the ones that the server really answers. */
  readonly routes: readonly Route[]
  /**
   * Serves one route of the contract: authenticate, authorize, parse, then the handler.
   *
   * The webhook paths are served below `/api/v1` and, by the same handlers, without the prefix (specification, "Endpoints").
   */
  mount<const R extends Route>(route: R, handler: Handler<R>, options?: MountOptions): void
  /** The door routes mounted so far. */
  readonly doorRoutes: readonly DoorRoute[]
  /**
   * Serves one route of a door: reads the key, authenticates it as the API does, authorizes, then responds. Refusals have the form of the protocol.
   */
  mountDoor(route: DoorRoute, door: Door): void
  /** Gives clients `ms` milliseconds to move to another process. Then the server can be closed. Requests that only wait stop waiting now. */
  drain(ms: number): Promise<void>
  /** Aborted by `drain`. */
  readonly leaving: AbortSignal
}
