// docs/examples as far as no program of others is needed: system-tests/conformance/acme.test.ts runs them for good.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'

const hook = fileURLToPath(new URL('../docs/examples/dns_zonewright.sh', import.meta.url))

/** What stands in for acme.sh's own functions, which keep values in the file of a certificate, and for curl. */
const standIns = `
_savedomainconf() { echo "$1='$2'" >> "$DOMAIN_CONF"; }
_readdomainconf() { (. "$DOMAIN_CONF"; eval "printf %s \\"\\$$1\\""); }
curl() { printf '%s\\n' "$@" >> asked; }
`

test('acme.sh renews each certificate with the settings that it was issued with, from an environment that has none', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-examples-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const run = (domain: string, commands: string, settings: Readonly<Record<string, string>> = {}): string => {
    writeFileSync(join(folder, 'asked'), '')
    writeFileSync(join(folder, domain), '', { flag: 'a' })
    execFileSync('sh', ['-euc', `${standIns}set +u\n. ${hook}\n${commands}`], {
      cwd: folder,
      env: { PATH: process.env['PATH'], DOMAIN_CONF: join(folder, domain), ...settings },
      stdio: 'pipe',
    })
    return readFileSync(join(folder, 'asked'), 'utf8')
  }
  const names = ['one.example', 'two.example']
  const issued = names.map((name) =>
    run(name, `dns_zonewright_add _acme-challenge.${name} gfj9Xq-Rg85nM`, {
      ZONEWRIGHT_URL: 'https://dns.example.net',
      ZONEWRIGHT_KEY: `svc_live_${name}`,
      ZONEWRIGHT_ZONE: name,
    }),
  )
  for (const [i, name] of names.entries()) {
    assert.match(issued[i] ?? '', new RegExp(`^Authorization: Bearer svc_live_${name}$`, 'm'))
    assert.match(issued[i] ?? '', new RegExp(`^https://dns.example.net/api/v1/zones/${name}/rrsets/`, 'm'))
    assert.equal(run(name, `dns_zonewright_add _acme-challenge.${name} gfj9Xq-Rg85nM`), issued[i])
  }
  assert.throws(() => run('three.example', 'dns_zonewright_add _acme-challenge.three.example gfj9Xq-Rg85nM'), {
    message: /ZONEWRIGHT_URL, ZONEWRIGHT_KEY and ZONEWRIGHT_ZONE must be set/,
  })
})
