import { isIPv4 } from 'node:net'
import { ipv6ToText, isMappedIpv4, parseIpv6 } from '@zonewright/dns'

/** Limits of the DNS door (design: doors, section B). */
export const doorLimits = {
  /** Unsigned queries that are answered in a second: from one network, and in all. */
  unsignedPerNetwork: 200,
  unsignedInAll: 5_000,
  /** Signed queries of one key in a second. */
  queriesPerKey: 50,
  /** Transfers of one key at the same time. */
  transfersPerKey: 4,
  /** Whole zones that are sent to the keys of one account at the same time, a quarter of all; further ones wait. */
  wholeTransfersPerAccount: 8,
  /** Changes in an update, and prerequisites. */
  changes: 1_000,
  /** Messages that are being answered at the same time. */
  messages: 2_000,
  /** How long an update waits for the nameservers, in seconds. Kea gives up after half a second, and sends the update again. */
  waitS: { udp: 0.3, tcp: 5 },
} as const

/** Counts what each caller does within the current second, in this process. */
export class PerSecond {
  readonly #most: number
  readonly #counts = new Map<string, number>()
  #second = 0

  constructor(most: number) {
    this.#most = most
  }

  /** Whether the next call of a caller would exceed the limit. Counts nothing. */
  isFull(caller: string): boolean {
    return this.#second === Math.floor(performance.now() / 1_000) && (this.#counts.get(caller) ?? 0) >= this.#most
  }

  /** Counts one more call of a caller. Returns false, and does not count it, if it exceeds the limit. */
  take(caller: string): boolean {
    const second = Math.floor(performance.now() / 1_000)
    if (second !== this.#second) this.#counts.clear()
    this.#second = second
    const count = this.#counts.get(caller) ?? 0
    if (count >= this.#most) return false
    this.#counts.set(caller, count + 1)
    return true
  }
}

/** The network of an address that is limited as a whole: /24 or /56, as for the response rate limits of nameservers. */
export function clientNetwork(address: string): string {
  const bytes = isIPv4(address) ? undefined : parseIpv6(address.split('%', 1)[0] ?? '')
  if (bytes === undefined) return address.split('.').slice(0, 3).join('.')
  if (isMappedIpv4(bytes)) return bytes.subarray(12, 15).join('.')
  return ipv6ToText(bytes.fill(0, 7))
}
