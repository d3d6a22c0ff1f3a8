import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { processFindings } from './process-findings.ts'

/** Starts a process whose `/healthz` has these members, with these metrics. Returns the doctor's findings. */
async function found(t: TestContext, health: object, metrics = ''): Promise<string[]> {
  const server = createServer((request, response) => {
    if (request.url === '/metrics') response.end(metrics)
    else response.end(JSON.stringify(request.url === '/healthz' ? health : { reads: 'ok' }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const configuration = { metricsTargets: [{ host: '127.0.0.1', port }] } as never
  return (await processFindings({ configuration })).map(({ level, says }) => `${level}: ${says}`)
}

const allIsWell = ["ok: All processes (1) of METRICS_TARGETS are ready, and their clocks agree with this machine's."]

test('a process of an older version, which does not report its time, is not reported', async (t) => {
  assert.deepEqual(await found(t, { status: 'ok' }), allIsWell)
  assert.deepEqual(await found(t, { status: 'ok', time: new Date().toISOString() }), allIsWell)
})

test('a clock that differs is reported with both times', async (t) => {
  const time = new Date(Date.now() - 600_000).toISOString()
  const [finding = ''] = await found(t, { status: 'ok', time })
  assert.match(
    finding,
    /^fault: The clock of the process at 127\.0\.0\.1:\d+ says .+Z, and this machine's clock says .+Z\.$/,
  )
})

test('reports a DNS door’s certificate before and after it expires', async (t) => {
  const certificate = async (value: string): Promise<string[]> => {
    const page = `# TYPE zonewright_door_certificate_expiry_seconds gauge\nzonewright_door_certificate_expiry_seconds ${value}\n`
    const said = await found(t, { status: 'ok' }, page)
    return said.map((each) => each.replace(/127\.0\.0\.1:\d+/, 'AT'))
  }
  const day = 24 * 60 * 60
  for (const value of ['Nan', String(14.5 * day), '7.776e+06']) assert.deepEqual(await certificate(value), allIsWell)
  assert.deepEqual(await certificate(`${10.5 * day}`), [
    'warning: The certificate that the DNS door at AT uses expires in 10 days.',
  ])
  assert.deepEqual(await certificate('0.5'), [
    'warning: The certificate that the DNS door at AT uses expires in 0 days.',
  ])
  assert.deepEqual(await certificate('-3600.25'), ['fault: The certificate that the DNS door at AT uses has expired.'])
})
