import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const rules = fileURLToPath(new URL('../../deploy/prometheus/zonewright.yml', import.meta.url))
const alerts = [...readFileSync(rules, 'utf8').matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name)
/** Only the metrics that alerts use are kept. */
const names = new Set(readFileSync(rules, 'utf8').match(/\b(?:zonewright|webhook|mails?|process)_\w+/g))

const everyMs = 5_000

/** What Prometheus would scrape: the job and the address of a process that serves `/metrics`. */
export interface ScrapeTarget {
  readonly job: string
  readonly address: string
}

/**
 * Scrapes an installation as Prometheus does, in real time, and asks promtool which alerts the recorded series raise.
 *
 * As in Prometheus, `up` is 0 for a process that does not answer, and the series of such a process end.
 */
export class RecordedMetrics {
  readonly #targets: readonly ScrapeTarget[]
  readonly #folder: string
  readonly #series = new Map<string, (string | undefined)[]>()
  readonly #timer: NodeJS.Timeout
  #scrapes = 0
  #last: Promise<unknown> = Promise.resolve()
  #judged: { readonly last: number; readonly raised: ReadonlyMap<string, string> } = { last: -1, raised: new Map() }

  constructor(targets: readonly ScrapeTarget[], folder: string) {
    this.#targets = targets
    this.#folder = folder
    this.#timer = setInterval(() => {
      const at = this.#scrapes++
      this.#last = Promise.all(this.#targets.map((target) => this.#scrape(target, at)))
    }, everyMs)
  }

  get scrapes(): number {
    return this.#scrapes
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#last
  }

  /** The alerts that are raised at the last scrape, each with its labels and its summary. */
  async raised(): Promise<ReadonlyMap<string, string>> {
    await this.#last
    const last = this.#scrapes - 1
    if (this.#judged.last !== last) this.#judged = { last, raised: await this.#judge(last) }
    return this.#judged.raised
  }

  async #judge(last: number): Promise<ReadonlyMap<string, string>> {
    const file = join(this.#folder, 'recorded.yml')
    const at = `${(last * everyMs) / 1_000}s`
    writeFileSync(
      file,
      JSON.stringify({
        rule_files: [rules],
        evaluation_interval: `${everyMs / 1_000}s`,
        tests: [
          {
            interval: `${everyMs / 1_000}s`,
            input_series: [...this.#series].map(([series, values]) => ({ series, values: valuesOf(values, last) })),
            // None is expected, because promtool prints those that are raised.
            alert_rule_test: alerts.map((alertname) => ({ eval_time: at, alertname, exp_alerts: [] })),
          },
        ],
      }),
    )
    const said = await new Promise<string>((resolve) =>
      execFile('promtool', ['test', 'rules', file], { maxBuffer: 2 ** 24 }, (_, stdout, stderr) =>
        resolve(`${stdout}${stderr}`),
      ),
    )
    if (!/SUCCESS|FAILED/.test(said) || /parse|error/i.test(said)) throw new Error(said.slice(0, 2_000))
    const found = said.matchAll(/alertname: (\w+), time: .*?\n\s+exp:\[\],?\s+got:\[(.*?)\n\s+\]\n/gs)
    return new Map([...found].map(([, name = '', got = '']) => [name, got.replaceAll(/\s+/g, ' ').trim()]))
  }

  async #scrape({ job, address }: ScrapeTarget, at: number): Promise<void> {
    const labels = `job="${job}",instance="${address}"`
    try {
      const answer = await fetch(`http://${address}/metrics`, { signal: AbortSignal.timeout(everyMs - 500) })
      for (const line of (await answer.text()).split('\n')) {
        const [, name = '', own, value = ''] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
        if (names.has(name)) this.#note(`${name}{${own === undefined ? '' : `${own},`}${labels}}`, at, value)
      }
      this.#note(`up{${labels}}`, at, '1')
    } catch {
      this.#note(`up{${labels}}`, at, '0')
    }
  }

  #note(series: string, at: number, value: string): void {
    const values = this.#series.get(series) ?? []
    values[at] = value === 'Nan' ? 'NaN' : value
    this.#series.set(series, values)
  }
}

/** In the notation of promtool: a series that was seen before and is now missing has ended. */
function valuesOf(values: readonly (string | undefined)[], last: number): string {
  return Array.from({ length: last + 1 }, (_, i) => {
    if (values[i] !== undefined) return values[i]
    return values[i - 1] === undefined ? '_' : 'stale'
  }).join(' ')
}
