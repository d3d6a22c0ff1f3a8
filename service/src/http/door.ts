import type { Actor, Caller } from '#platform/caller.ts'
import type { ProblemForm } from '#platform/http/fastify.ts'
import type { Answer, CalledZone, Credentials } from './call.ts'

/** A request to a door, as it was received. */
export interface DoorRequest {
  readonly method: string
  /** The path and query, as they were sent. */
  readonly target: string
  /** The names of the path, decoded. */
  readonly params: Readonly<Record<string, string>>
  /** The last value of each parameter. */
  readonly query: Readonly<Record<string, string>>
  /** JSON as a value, everything else as text. Undefined: there is none, or it has not been read yet. */
  readonly body: unknown
  readonly address: string
  /** Whether it arrived over TLS, as the proxy in front of the service reports. */
  readonly isEncrypted: boolean
  /** All values of a header, joined with commas. */
  readonly header: (name: string) => string | undefined
}

/** An authorized request to a door, with the zone that it names. A request to a public route has no caller. */
export interface DoorCall {
  readonly request: DoorRequest
  readonly caller: Caller<'key'>
  readonly actor: Actor
  /** Undefined: it names none, or one that the account cannot see. */
  readonly zone: CalledZone | undefined
}

/** How a door speaks its protocol. */
export interface Door {
  /** The secret of the key in a request. Undefined: it has none. @throws Refusal `invalid_key` */
  readonly secretOf: (request: DoorRequest) => string | undefined
  /** The zone that a request names, and its preloaded data. */
  readonly zoneOf?: (request: DoorRequest) => Partial<Pick<Credentials, 'zoneRef' | 'nameInZone' | 'preload'>>
  /** Refuses a request with a valid key. */
  readonly admit?: (caller: Caller<'key'>, actor: Actor, request: DoorRequest) => Promise<void>
  /** Its answer reports what the key lacks, so that the request is not refused as a whole. */
  readonly authorisesItself?: true
  readonly answer: (call: DoorCall) => Promise<Answer>
  /** The form of a refusal in the protocol. */
  readonly problem: ProblemForm
}
