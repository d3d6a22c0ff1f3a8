import type { Endpoint } from '../endpoint.ts'
import type { Log } from '../log.ts'
import type { Answer } from '../responder/answer.ts'

/** An open socket that takes queries to the responder and its answers back. */
export interface Door {
  /** Where it listens; the port is the real one, also when 0 was asked for. */
  readonly endpoint: Endpoint
  /** Takes no more queries and lets go of the port; done within 500 ms whatever the clients do. */
  close(): Promise<void>
}

/** Rejects with Node's system error (`EADDRINUSE`, `EACCES`, …) when the address cannot be had. */
export type OpenDoor = (endpoint: Endpoint, answer: Answer, log: Log) => Promise<Door>
