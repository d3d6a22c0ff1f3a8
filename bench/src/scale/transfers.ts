import { join } from 'node:path'
import {
  axfrQuery,
  ixfrQuery,
  type Message,
  parseName,
  type ResourceRecord,
  RrType,
  recordsOf,
  soaFromRdata,
  soaToRdata,
  type TransferOutcome,
  TransferReader,
} from '@zonewright/dns'
import type { World } from '@zonewright/system-tests/world'
import { parseEndpoint } from '../../../nameserver/src/endpoint.ts'
import { jsonLog } from '../../../nameserver/src/log.ts'
import { LinkDown, PrimaryLink } from '../../../nameserver/src/secondary/primary-link.ts'
import { readTsigFile } from '../../../nameserver/src/tsig.ts'

/** A nameserver's only connection to the primary. Every query and every answer is signed. */
export class Transfers {
  readonly #link: PrimaryLink
  /** Settles once the connection is open; the primary closes connections that are idle for long. */
  #up = Promise.withResolvers<void>()

  private constructor(link: PrimaryLink) {
    this.#link = link
    link.open({
      up: () => this.#up.resolve(),
      down: () => {
        this.#up = Promise.withResolvers<void>()
      },
    })
  }

  static from(world: World): Transfers {
    const primary = parseEndpoint(world.env['PRIMARY_LISTEN'] ?? '')
    if (primary === undefined) throw new Error('the primary listens nowhere')
    const [key] = readTsigFile(join(world.dataDir, 'tsig.key'))
    const link = new PrimaryLink(
      [primary],
      key,
      jsonLog(() => undefined),
    )
    return new Transfers(link)
  }

  close(): void {
    this.#link.close()
  }

  /** Transfers the current zone by AXFR; returns its SOA. */
  async whole(zone: string): Promise<ResourceRecord> {
    const origin = parseName(`${zone}.`)
    const outcome = await this.#outcome(
      () => new TransferReader(origin, 'axfr'),
      (id) => axfrQuery(id, origin),
    )
    const rrsets = outcome.kind === 'full' ? outcome.rrsets : []
    const soa = rrsets.flatMap((rrset) => [...recordsOf(rrset)]).find(({ type }) => type === RrType.SOA)
    if (soa === undefined) throw new Error(`the transfer of ${zone} was ${outcome.kind}`)
    return soa
  }

  /** Transfers the changes since an SOA of the zone by IXFR; returns the new SOA. */
  async since(soa: ResourceRecord): Promise<ResourceRecord> {
    const { name: origin, data } = soa
    const held = soaFromRdata(data)
    const outcome = await this.#outcome(
      () => new TransferReader(origin, 'ixfr', held.serial),
      (id) => ixfrQuery(id, origin, soa),
    )
    if (outcome.kind !== 'steps') throw new Error(`the transfer of what changed was ${outcome.kind}`)
    return { ...soa, data: soaToRdata({ ...held, serial: outcome.serial }) }
  }

  async #outcome(newReader: () => TransferReader, ask: (id: number) => Message): Promise<TransferOutcome> {
    for (;;) {
      await this.#up.promise
      const reader = newReader()
      try {
        return await this.#link.exchange(ask, (answer) => reader.feed(answer))
      } catch (error) {
        if (!(error instanceof LinkDown)) throw error
      }
    }
  }
}
