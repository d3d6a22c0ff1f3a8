import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { assertOutcome, type Expected, startImports } from '#testing/test-imports.ts'

// Exports of other systems: a data set outside the repository. Its README has the expected outcomes of this table.
const folder = fileURLToPath(new URL('../../../../../shared/data/imports', import.meta.url))

const samples: Readonly<Record<string, Expected>> = {
  '02-cloudflare-now.zone': {
    rrsets: [
      '@ 300 A',
      '@ 300 CAA',
      '@ 300 HTTPS',
      '@ 300 MX',
      '_dmarc 300 TXT',
      '_sip._tls 300 SRV',
      'k2._domainkey 300 TXT',
      's1._domainkey 3600 CNAME',
      'shop 300 A',
      'www 300 CNAME',
    ],
    ignored: ['6 SOA', '9 NS', '10 NS'],
    adapted: [13, 17, 20, 24, 27, 30, 33, 34].map((line) => `${line} ttl_automatic`),
  },
  '02c-soa-owner-without-dot.zone': { rrsets: ['www 300 A'], ignored: ['2 SOA', '3 NS'] },
  '03-godaddy.zone': {
    rrsets: [
      '@ 3600 MX',
      '@ 3600 TXT',
      '@ 600 A',
      '_dmarc 1800 TXT',
      '_sip._tls 3600 SRV',
      '_sipfederationtls._tcp 3600 SRV',
      'sel._domainkey 1800 TXT',
      'selector1._domainkey 3600 CNAME',
      'vpn 3600 A',
      'www 3600 CNAME',
    ],
    ignored: ['10 SOA', '36 NS', '37 NS'],
    adapted: ['32 origin_label', '33 origin_label'],
  },
  '05b-windows-age.zone': { rrsets: ['domaindnszones 600 A', 'hostname001 1200 A'], adapted: ['2 foreign_mark'] },
  '06-cpanel.zone': {
    rrsets: [
      '@ 14400 A',
      '@ 14400 MX',
      '_cpanel-dcv-test-record 14400 TXT',
      'default._domainkey 14400 TXT',
      'ftp 14400 A',
      'mail 14400 CNAME',
      'www 14400 CNAME',
    ],
    ignored: ['4 SOA', '11 NS', '12 NS'],
  },
  '07-bind-dynamic-dump.zone': {
    rrsets: [
      '@ 300 A',
      '@ 300 AAAA',
      '@ 300 MX',
      '@ 300 TXT',
      '_dmarc 300 TXT',
      'aa 300 A',
      'esxi-0 300 A',
      'kvm.esxi-0 300 A',
      'one._domainkey 300 CNAME',
      'zz 300 A',
    ],
    ignored: ['3 SOA', '10 NS'],
  },
  '08-dig-axfr.zone': {
    rrsets: ['1021931729._domainkey 300 TXT', 'abm 3600 CNAME', 'loc 3600 LOC'],
    ignored: ['4 SOA', '5 NS', '6 NS', '10 SOA'],
  },
  '11b-ttl-zero.zone': { rrsets: ['zero 30 A'], adapted: ['1 ttl_raised'] },
  '12-ttl-differs-in-rrset.zone': { rrsets: ['www 300 A'], adapted: ['3 ttl_differs'] },
  '13-spf-type.zone': { rrsets: ['@ 600 TXT', 'localhost 600 A', 'www 120 A'], adapted: ['3 spf_omitted'] },
  '14c-cr-only.zone': { rrsets: ['www 3600 A'], adapted: ['1 carriage_return'] },
  '16-indented-paste.zone': { rrsets: ['@ 3600 TXT', '_dmarc 1800 TXT', 'www 3600 CNAME'], adapted: ['1 indentation'] },
  '24-route53.json': {
    faults: ['not_a_zone_file'],
    refused:
      'This is JSON of Route 53, not a zone file. Route 53 exports no zone files: run `cli53 export --full ZONE`, and import what it writes.',
  },
  '25-ovh.zone': {
    rrsets: [
      '@ 3600 A',
      '@ 3600 MX',
      '@ 600 TXT',
      '_autodiscover._tcp 3600 SRV',
      'dk._domainkey 3600 TXT',
      'ftp 3600 CNAME',
      'www 3600 A',
      'www 3600 TXT',
    ],
    ignored: ['2 SOA', '3 NS', '4 NS'],
  },
  '26-names-odd.zone': {
    rrsets: [
      '*.star 300 A',
      '128/26 300 NS',
      '129 300 CNAME',
      '_dmarc 300 TXT',
      'a-*.pages 300 TXT',
      'a\\\\.b 300 CNAME',
    ],
  },
  '28-out-of-zone-glue.zone': { rrsets: ['www 300 A'], ignored: ['4 A'] },
  '29-dnssec-signed.zone': {
    rrsets: ['www 300 A'],
    ignored: ['3 SOA', '4 NS', '5 RRSIG', '6 DNSKEY', '7 NSEC', '9 RRSIG'],
  },
  '30-commented-out-with-hash.zone': {
    refused: /^line 4: `#old` begins with `#`/,
    faults: ['4 bad_name', '5 bad_name'],
  },
  '32-unicode-owner.zone': {
    rrsets: ['www 300 CNAME', 'xn--bcher-kva 300 A'],
    adapted: ['2 international_name', '3 international_name'],
  },
  '33-cname-apex-flattened.zone': { rrsets: ['@ 300 ALIAS', 'www 300 A'], adapted: ['2 cname_as_alias'] },
  '41-no-ttl-soa-minimum.zone': { rrsets: ['a2 300 A'], ignored: ['2 SOA'], adapted: ['3 ttl_from_soa'] },
}

if (existsSync(folder)) {
  const importing = await startImports()
  const files = readdirSync(folder).filter((file) => file !== 'README.md')

  test('the data set of exports and the table of expected outcomes list the same files', () => {
    assert.deepEqual(Object.keys(samples).sort(), files.sort())
  })

  for (const [file, expected] of Object.entries(samples))
    test(`${file} is imported as the README of the data set says, and a dry run returns the same`, async () => {
      const text = readFileSync(join(folder, file))
      assertOutcome(await importing(text), expected)
    })
} else
  test('the data set of exports exists', (t) => {
    assert.ok(!process.env['CI'], `The test data is missing: ${folder}`)
    t.diagnostic(`The exports of other systems are not tested: ${folder} is missing.`)
  })
