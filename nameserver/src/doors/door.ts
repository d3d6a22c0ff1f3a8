import type { Endpoint } from '../endpoint.ts'
import type { Log } from '../log.ts'
import type { Answer } from '../responder/answer.ts'

/** An open socket that passes queries to the responder and sends its answers. */
export interface Door {
  /** The listening address, with the actual port if 0 was requested. */
  readonly endpoint: Endpoint
  /** Stops accepting queries and releases the port, within 500 ms, whatever the clients do. */
  close(): Promise<void>
}

/** Rejects with Node's system error (`EADDRINUSE`, `EACCES`, …) if the address is not available. */
export type OpenDoor = (endpoint: Endpoint, answer: Answer, log: Log) => Promise<Door>
