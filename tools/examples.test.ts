// docs/examples as far as no program of others is needed: system-tests/conformance/acme.test.ts runs them for good.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'

const examples = fileURLToPath(new URL('../docs/examples', import.meta.url))
const hook = join(examples, 'dns_zonewright.sh')

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

/** How each client calls its hook. */
const calls = {
  'dns_zonewright.sh': `. ${hook} && dns_zonewright_add _acme-challenge.one.example gfj9Xq-Rg85nM`,
  'lego-hook.sh': `sh ${examples}/lego-hook.sh present _acme-challenge.one.example. gfj9Xq-Rg85nM`,
  'certbot-hook.sh': `CERTBOT_DOMAIN=one.example CERTBOT_VALIDATION=gfj9Xq-Rg85nM sh ${examples}/certbot-hook.sh add`,
}

for (const [name, call] of Object.entries(calls))
  test(`${name} takes the address of the API, which the pages for customers use, and that of the site`, (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'zonewright-examples-'))
    t.after(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'curl'), '#!/bin/sh\nprintf "%s\\n" "$@" >> asked\n', { mode: 0o755 })
    for (const url of [
      'https://dns.example.net/api/v1',
      'https://dns.example.net/api/v1/',
      'https://dns.example.net',
    ]) {
      writeFileSync(join(folder, 'asked'), '')
      const settings = { ZONEWRIGHT_URL: url, ZONEWRIGHT_KEY: 'svc_live_one', ZONEWRIGHT_ZONE: 'one.example' }
      const env = { PATH: `${folder}:${process.env['PATH']}`, ...settings }
      execFileSync('sh', ['-c', call], { cwd: folder, env, stdio: 'pipe' })
      assert.deepEqual(
        readFileSync(join(folder, 'asked'), 'utf8').match(/^https:.*/gm),
        ['https://dns.example.net/api/v1/zones/one.example/rrsets/_acme-challenge.one.example/TXT'],
        url,
      )
    }
  })
