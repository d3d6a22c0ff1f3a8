import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createServer } from 'node:tls'
import { createAuthority } from '@zonewright/sandbox'
import { readConfiguration } from '#platform/settings/configuration.ts'
import { listen } from '#testing/webhook-http/test-receiver.ts'
import { certificateFindings, paymentFindings } from './outside-findings.ts'

test('advises a real installation with the sandbox’s card gateway to connect a real one, and others to correct theirs', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'zonewright-doctor-'))
  t.after(() => rmSync(dataDir, { recursive: true }))
  // Nothing listens there.
  const away = { DATA_DIR: dataDir, PAYSTACK_URL: 'http://127.0.0.1:9', PAYSTACK_SECRET_KEY: 'sk_test_unused' }
  const advised = async (env: Readonly<Record<string, string>>): Promise<string | undefined> => {
    const [finding] = await paymentFindings({ configuration: readConfiguration({ ...away, ...env }) })
    assert.equal(finding?.level, 'fault')
    return finding?.advice
  }
  const real = { PUBLIC_URL: 'https://dns.example.net' }
  assert.match((await advised(real)) ?? '', /Set PAYMENTS=paystack and PAYSTACK_SECRET_KEY/)
  assert.match((await advised({})) ?? '', /^Correct PAYSTACK_SECRET_KEY or PAYSTACK_URL/)
  assert.match((await advised({ ...real, PAYMENTS: 'paystack' })) ?? '', /^Correct PAYSTACK_SECRET_KEY or PAYSTACK_URL/)
})

test('a certificate that has expired, or is about to, is reported with its time', async (t) => {
  const authority = createAuthority('doctor')
  const ofSite = async (validUntil: Date): Promise<string[]> => {
    const validity = { validFrom: new Date('2025-01-01'), validUntil }
    const port = await listen(createServer(authority.issue(['127.0.0.1'], validity)))
    const dataDir = mkdtempSync(join(tmpdir(), 'zonewright-doctor-'))
    t.after(() => rmSync(dataDir, { recursive: true }))
    const configuration = readConfiguration({ DATA_DIR: dataDir, PUBLIC_URL: `https://127.0.0.1:${port}` })
    const findings = await certificateFindings({ configuration })
    return findings.map(({ level, says }) => `${level}: ${says.replace(`:${port}`, '')}`)
  }
  const dayMs = 24 * 60 * 60_000
  const which = 'The certificate of https://127.0.0.1'
  assert.deepEqual(await ofSite(new Date('2026-01-02T03:04:05Z')), [
    `fault: ${which} expired on 2026-01-02T03:04:05.000Z.`,
  ])
  assert.deepEqual(await ofSite(new Date(Date.now() + 10.5 * dayMs)), [`warning: ${which} expires in 10 days.`])
  assert.deepEqual(await ofSite(new Date(Date.now() + 90.5 * dayMs)), [`ok: ${which} expires in 90 days.`])
})
