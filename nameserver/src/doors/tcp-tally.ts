/**
 * Why a connection ended: closed by the client; silent for too long; answers left unread; to make room; a message
 * in too many pieces; the nameserver stops.
 */
export type CloseReason = 'client' | 'idle' | 'unread' | 'crowded' | 'slow' | 'stopped'

/** How many connections are open, were accepted and were closed, over all doors that share it. */
export class TcpTally {
  open = 0
  accepted = 0
  readonly closed: Record<CloseReason, number> = { client: 0, idle: 0, unread: 0, crowded: 0, slow: 0, stopped: 0 }
  readonly #onAccepted: () => void

  constructor(onAccepted: () => void = () => {}) {
    this.#onAccepted = onAccepted
  }

  accept(): void {
    this.accepted++
    this.#onAccepted()
  }
}
