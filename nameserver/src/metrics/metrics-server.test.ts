import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { TcpTally } from '../doors/tcp-tally.ts'
import { keptLog } from '../testing/kept-log.ts'
import { Counters, CounterTotals } from './counters.ts'
import { expositionOf, expositionType } from './exposition.ts'
import { type MetricsPages, openMetricsServer } from './metrics-server.ts'
import { type ServerFigures, serverFamilies } from './server-figures.ts'
import { TransferTally } from './transfer-tally.ts'

const readme = new URL('../../README.md', import.meta.url)
const transfers = new TransferTally()
transfers.count('ixfr', 'applied')
transfers.count('soa', 'failed')

const figures: ServerFigures = {
  startedAtMs: 1000,
  zones: () => 3,
  records: () => 42,
  signed: (nowS) => ({
    zones: { nsec: 2, nsec3: 1, none: 0 },
    signatures: 30,
    earliestExpiryS: nowS + 86_400,
    expiredZones: 0,
  }),
  droppedLines: () => 0,
  tableBytes: () => ({ used: 4096, reserved: 65536 }),
  tcp: { ...new TcpTally(), open: 2, accepted: 5 },
  following: { zonesBehind: () => 1, lagMs: () => 2500, transfers },
}

const allFamilies = () => [...new CounterTotals(Counters.allocate(1)).families(), ...serverFamilies(figures, 61_000)]

async function open(test: TestContext, pages: Partial<MetricsPages> = {}) {
  const log = keptLog()
  const all = { families: allFamilies, isHealthy: () => true, ...pages }
  const server = await openMetricsServer({ host: '127.0.0.1', port: 0 }, all, log)
  test.after(() => server.close())
  return { server, log, base: `http://127.0.0.1:${server.endpoint.port}` }
}

describe('the metrics page', () => {
  it('uses the text format of Prometheus, with help and type for each family', () => {
    const text = expositionOf([
      { name: 'a_total', type: 'counter', help: 'One\nand \\ two.', samples: [{ value: 1.5 }] },
      { name: 'b', type: 'gauge', help: 'B.', samples: [{ labels: { x: 'q"\\\n', y: '2' }, value: Infinity }] },
      { name: 'c', type: 'gauge', help: 'None.', samples: [] },
    ])
    assert.equal(
      text,
      '# HELP a_total One\\nand \\\\ two.\n# TYPE a_total counter\na_total 1.5\n' +
        '# HELP b B.\n# TYPE b gauge\nb{x="q\\"\\\\\\n",y="2"} +Inf\n' +
        '# HELP c None.\n# TYPE c gauge\n',
    )
  })

  it('shows the current metrics of the server', () => {
    const text = expositionOf(serverFamilies(figures, 61_000))
    for (const line of [
      'zonewright_nameserver_zones 3',
      'zonewright_nameserver_records 42',
      'zonewright_nameserver_table_bytes{part="used"} 4096',
      'zonewright_nameserver_signed_zones{denial="nsec"} 2',
      'zonewright_nameserver_signatures 30',
      'zonewright_nameserver_signature_expiry_timestamp_seconds 86461',
      'zonewright_nameserver_signed_zones_expired 0',
      'zonewright_nameserver_zones_behind 1',
      'zonewright_nameserver_transfer_lag_seconds 2.5',
      'zonewright_nameserver_transfers_total{kind="ixfr",outcome="applied"} 1',
      'zonewright_nameserver_transfers_total{kind="soa",outcome="failed"} 1',
      'zonewright_nameserver_transfers_total{kind="axfr",outcome="applied"} 0',
      'zonewright_nameserver_tcp_connections 2',
      'zonewright_nameserver_tcp_connections_accepted_total 5',
      'zonewright_nameserver_tcp_connections_closed_total{reason="idle"} 0',
      'zonewright_nameserver_uptime_seconds 60',
    ]) {
      assert.ok(text.includes(`\n${line}\n`), line)
    }
    const { following: _, ...fromFiles } = figures
    assert.doesNotMatch(expositionOf(serverFamilies(fromFiles)), /transfer/)
  })

  it('has exactly the metrics that the README lists', () => {
    const listed = readFileSync(readme, 'utf8').match(/zonewright_nameserver_[a-z_]+/g) ?? []
    assert.deepEqual(new Set(listed), new Set(allFamilies().map(({ name }) => name)))
  })

  it('is served on its own port, next to the health check', async (test) => {
    let isHealthy = true
    const { base } = await open(test, { isHealthy: () => isHealthy })
    const page = await fetch(`${base}/metrics?x=1`)
    assert.deepEqual([page.status, page.headers.get('content-type')], [200, expositionType])
    assert.match(await page.text(), /^# HELP zonewright_nameserver_queries_total .+\n# TYPE .+ counter\n/)
    assert.equal((await fetch(`${base}/metrics`, { method: 'HEAD' })).status, 200)
    const healthy = await fetch(`${base}/healthz`)
    assert.deepEqual([healthy.status, await healthy.text()], [200, 'ok\n'])
    isHealthy = false
    assert.equal((await fetch(`${base}/healthz`)).status, 503)
    for (const path of ['/metrics', '/healthz', '/']) {
      const { headers } = await fetch(`${base}${path}`)
      assert.deepEqual([headers.get('cache-control'), headers.get('x-content-type-options')], ['no-store', 'nosniff'])
    }
  })

  it('rejects other pages and methods, and reports a fault only to the log', async (test) => {
    const families = () => {
      throw new Error('table is gone')
    }
    const { base, log } = await open(test, { families })
    assert.equal((await fetch(`${base}/`)).status, 404)
    const posted = await fetch(`${base}/metrics`, { method: 'POST', body: 'x' })
    assert.deepEqual([posted.status, posted.headers.get('allow')], [405, 'GET, HEAD'])
    const broken = await fetch(`${base}/metrics`)
    assert.deepEqual([broken.status, await broken.text()], [500, 'See the log.\n'])
    assert.deepEqual(
      log.lines.map(({ msg, reason }) => [msg, reason]),
      [['metrics page', 'table is gone']],
    )
  })

  it('closes immediately, even with a silent client', async (test) => {
    const { server } = await open(test)
    const silent = connect(server.endpoint)
    silent.on('error', () => {})
    test.after(() => silent.destroy())
    await fetch(`http://127.0.0.1:${server.endpoint.port}/healthz`)
    const startedAt = performance.now()
    await server.close()
    assert.ok(performance.now() - startedAt < 5_000)
  })

  it('reports in one line that its port is taken', async (test) => {
    const { server } = await open(test)
    await assert.rejects(
      open(test).then(() =>
        openMetricsServer(server.endpoint, { families: allFamilies, isHealthy: () => true }, keptLog()),
      ),
      {
        name: 'StartupFault',
        message: `--metrics 127.0.0.1:${server.endpoint.port}: the port is taken by another process`,
      },
    )
  })
})
