import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readConfiguration } from '#platform/settings/configuration.ts'
import { paymentFindings } from './outside-findings.ts'

test('a real installation whose card gateway is the sandbox’s is told to connect a real one, others to correct theirs', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'zonewright-doctor-'))
  t.after(() => rmSync(dataDir, { recursive: true }))
  // Nobody listens there.
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
