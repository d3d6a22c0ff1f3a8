import type { Metrics } from '#platform/figures/metrics.ts'
import type { Logger } from '#platform/log.ts'
import { byIndexAlone } from '#platform/postgres/index.ts'
import { ClaimedWork } from '#platform/work/claimed-work.ts'
import { importableFile } from './importable-file.ts'
import { failed, type Progress, type ScanContext, scanZone } from './scan-zone.ts'
import {
  type ClaimedScan,
  claimScans,
  finishScan,
  isAnyScanDue,
  noteProgress,
  putBack,
  type ScanResult,
} from './store.ts'
import { Turns, usualPauseMs } from './turns.ts'

/** Maximum number of scans in progress at once in one process. Each waits most of the time. */
const maxScans = 20

export interface ScannerOptions extends ScanContext {
  readonly log: Logger
  readonly metrics: Metrics
}

/**
 * Works on scans. Any number of processes may run it. A scan whose process ends in the middle fails as interrupted, at once or when its lease
 * ends; it is not repeated, so that no nameserver is queried more than the limits allow.
 */
export class Scanner {
  readonly #options: ScannerOptions
  readonly #claimed: ClaimedWork<ClaimedScan>
  readonly #scans: ReturnType<Metrics['counter']>
  readonly #underWay = new Set<Turns>()
  #isStopping = false

  constructor(options: ScannerOptions) {
    this.#options = options
    const { database, log, metrics } = options
    this.#claimed = new ClaimedWork({
      name: 'scans',
      log,
      max: maxScans,
      look: database.pollFor(isAnyScanDue),
      claim: (max) =>
        database.transact(async (tx) => {
          await tx.apply(byIndexAlone)
          return await claimScans(tx, max)
        }),
      work: (scan) => this.#scan(scan),
      about: ({ zoneName }) => ({ zone: zoneName }),
    })
    this.#scans = metrics.counter({
      name: 'zonewright_scans_total',
      help: 'Scans of the nameservers of other providers. The outcome is done, or the reason for a failure.',
      labelNames: ['outcome'],
    })
  }

  start(): void {
    this.#claimed.start()
  }

  /** Stops claiming, and ends the scans in progress as interrupted. */
  async stop(): Promise<void> {
    this.#isStopping = true
    for (const turns of this.#underWay) turns.end()
    await this.#claimed.stop()
  }

  async #scan(scan: ClaimedScan): Promise<void> {
    const { database, pauseMs = usualPauseMs } = this.#options
    const { db } = database
    const turns: Turns = new Turns(scan.questions, pauseMs, (questions) =>
      noteProgress(db, { id: scan.id, address: progress.address, questions, records: progress.found?.count ?? 0 }),
    )
    const progress: Progress = { turns, address: '', found: undefined }
    this.#underWay.add(turns)
    try {
      const result = await this.#resultOf(scan, progress)
      if (result === 'busy') return await putBack(db, scan.id, turns.asked)
      await finishScan(db, scan.id, turns.asked, result)
      this.#scans.inc({ outcome: result.failure ?? 'done' })
    } finally {
      this.#underWay.delete(turns)
    }
  }

  async #resultOf(scan: ClaimedScan, progress: Progress): Promise<ScanResult | 'busy'> {
    if (scan.isInterrupted) return failed('interrupted')
    if (scan.isLate) return failed('busy')
    const result = await scanZone(this.#options, scan, progress)
    if (this.#isStopping) return failed('interrupted')
    if (result === 'busy' || result.zoneFile === null) return result
    return { ...result, zoneFile: await importableFile(this.#options.database.db, scan.zoneId, result.zoneFile) }
  }
}
