import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertOutcome, type Expected, startImports } from '#testing/test-imports.ts'

const importing = await startImports()

/** Zone files in the formats of other systems, and the result of importing each. */
const dialects: readonly { readonly system: string; readonly file: string | Buffer; readonly expected: Expected }[] = [
  {
    system: 'knotc zone-read puts the zone in front of each record',
    file: `[example.com.] example.com. 3600 SOA ns1.example.net. hostmaster.example.net. 1 2 3 4 5
[example.com.] example.com. 3600 NS ns1.example.net.
[example.com.] www.example.com. 3600 A 192.0.2.1
[example.com.] www.example.com. 3600 TXT "a b"
`,
    expected: { rrsets: ['www 3600 A', 'www 3600 TXT'], ignored: ['1 SOA', '2 NS'], adapted: ['1 foreign_mark'] },
  },
  {
    system: 'a transfer that dig signed has its signature between the records',
    file: `; <<>> DiG 9.18.19 <<>> -k key axfr example.com
example.com. 3600 IN SOA ns1.example.net. host.example.net. 1 2 3 4 5
www.example.com. 3600 IN A 192.0.2.1
example.com. 3600 IN SOA ns1.example.net. host.example.net. 1 2 3 4 5
transfer-key. 0 ANY TSIG hmac-sha256. 1695300000 300 32 YWJj 12345 NOERROR 0
;; Query time: 1 msec
`,
    expected: { rrsets: ['www 3600 A'], ignored: ['2 SOA', '4 SOA', '5 TSIG'] },
  },
  {
    system: 'dig with +multiline, +nocrypto and +ttlunits',
    file: `example.com.\t\t1h IN SOA ns1.example.net. host.example.net. (
\t\t\t\t1 ; serial
\t\t\t\t3600 ; refresh (1 hour)
\t\t\t\t600 ; retry
\t\t\t\t604800 ; expire
\t\t\t\t300 ; minimum
\t\t\t\t)
example.com.\t\t1h IN DNSKEY 257 3 13 (
\t\t\t\t[key id = 12345]
\t\t\t\t) ; KSK; alg = ECDSAP256SHA256 ; key id = 12345
example.com.\t\t1h IN RRSIG SOA 13 2 3600 (
\t\t\t\t20300101000000 20200101000000 12345 example.com.
\t\t\t\t[omitted] )
www.example.com.\t1h30m IN TXT ( "v=DKIM1; "
\t\t\t\t"p=AAAA" )
`,
    expected: { rrsets: ['www 5400 TXT'], ignored: ['1 SOA', '8 DNSKEY', '11 RRSIG'] },
  },
  {
    system: 'dnscmd /ZonePrint of Windows',
    file: `;
;  Zone:    example.com
;
@ [Aging:3636591] 600 A\t192.0.2.1
\t\t\t\t 3600 NS\tdc1.example.com.
@ WINS LOCAL L5 C900 ( 192.0.2.3 )
_kerberos._tcp 600 SRV\t0 100 88\tdc1.example.com.
Command completed successfully.
`,
    expected: {
      rrsets: ['@ 600 A', '_kerberos._tcp 600 SRV'],
      ignored: ['5 NS', '6 WINS'],
      adapted: ['4 foreign_mark', '8 foreign_line'],
    },
  },
  {
    system: 'a file of Windows takes the TTL of records without one from the SOA, whatever stands above',
    file: `;
;  Database file example.com.dns for Default zone scope in zone example.com.
;
@                       IN  SOA dc1.example.com. hostmaster.example.com. (
                        \t\t42           ; serial number
                        \t\t900          ; refresh
                        \t\t600          ; retry
                        \t\t86400        ; expire
                        \t\t3600       ) ; default TTL
@                       600\tA\t192.0.2.10
www                     A\t192.0.2.11
;  Delegated sub-zone:  sub.example.com.
sub                     NS\tns.sub.example.com.
ns.sub                  A\t192.0.2.20
`.replaceAll('\n', '\r\n'),
    expected: {
      rrsets: ['@ 600 A', 'ns.sub 3600 A', 'sub 3600 NS', 'www 3600 A'],
      ignored: ['4 SOA'],
      adapted: ['11 ttl_from_soa'],
    },
  },
  {
    system: 'UTF-16 with its byte order mark, little-endian',
    file: Buffer.from('\ufeffwww 300 A 192.0.2.1\r\n', 'utf16le'),
    expected: { rrsets: ['www 300 A'], adapted: ['1 byte_order_mark'] },
  },
  {
    system: 'UTF-16 with its byte order mark, big-endian',
    file: Buffer.from('\ufeffbücher 300 A 192.0.2.1\r\n', 'utf16le').swap16(),
    expected: { rrsets: ['xn--bcher-kva 300 A'], adapted: ['1 byte_order_mark', '1 international_name'] },
  },
  {
    system: 'UTF-8 with a byte order mark',
    file: '\ufeffwww 300 A 192.0.2.1\n',
    expected: { rrsets: ['www 300 A'], adapted: ['1 byte_order_mark'] },
  },
  {
    system: 'pdnsutil list-zone of PowerDNS, with names that are relative to the root',
    file: `$ORIGIN .
example.com\t3600\tIN\tSOA\tns1.example.net hostmaster.example.net 1 2 3 4 5
example.com\t3600\tIN\tMX\t10 mail.example.com
mail.example.com\t3600\tIN\tA\t192.0.2.1
`,
    expected: { rrsets: ['@ 3600 MX', 'mail 3600 A'], ignored: ['2 SOA'] },
  },
  {
    system: 'az network dns zone export',
    file: `; 
;\tExported zone file from Azure DNS
$TTL 3600
$ORIGIN example.com.

$TTL 3600
@ IN SOA ns1-01.azure-dns.com. azuredns-hostmaster.microsoft.com. 1 3600 300 2419200 300

$TTL 172800
@ IN NS ns1-01.azure-dns.com.

$TTL 60
www IN A 192.0.2.1
`,
    expected: { rrsets: ['www 60 A'], ignored: ['7 SOA', '10 NS'] },
  },
  {
    system: 'cli53 writes routing policies into comments, and alias records as the class AWS',
    file: `$ORIGIN example.com.
www	60	IN	A	192.0.2.1 ; AWS routing="WEIGHTED" weight=1 identifier="a"
www	60	IN	A	192.0.2.2 ; AWS routing="WEIGHTED" weight=1 identifier="b"
`,
    expected: { rrsets: ['www 60 A'], adapted: ['2 routing_policy', '3 routing_policy'] },
  },
  {
    system: 'the alias records of cli53',
    file: 'www 60 A 192.0.2.1\n@ 86400 AWS ALIAS A d1.cloudfront.net. Z2FDTNDATAQYW2 false\n',
    expected: { faults: ['2 bad_type'], refused: /^line 2: AWS is not a record type/ },
  },
  {
    system: 'ALIAS and ANAME records',
    file: '$TTL 300\n@ ANAME www.example.net.\nshop 10800 IN ALIAS shop.example.net.\nblog aname blog\n',
    expected: { rrsets: ['@ 300 ALIAS', 'blog 300 ALIAS', 'shop 10800 ALIAS'], adapted: ['2 aname_as_alias'] },
  },
  {
    system: 'a flattened CNAME at the apex beside mail records',
    file: '$TTL 300\n@ CNAME www.example.net.\n@ MX 10 mail.example.net.\n',
    expected: { rrsets: ['@ 300 ALIAS', '@ 300 MX'], adapted: ['2 cname_as_alias'] },
  },
  {
    system: 'a flattened CNAME beside the addresses of the apex',
    file: '$TTL 300\n@ CNAME www.example.net.\n@ A 192.0.2.1\n',
    expected: { faults: ['2 alias_not_alone'], refused: /^line 2: example\.com has A records\. An ALIAS publishes/ },
  },
  {
    system: 'two flattened CNAMEs',
    file: '$TTL 300\n@ CNAME a.example.net.\n@ CNAME b.example.net.\n',
    expected: { faults: ['2 single_value'], refused: /^line 2: A name has at most one ALIAS record/ },
  },
  {
    system: 'types that providers made up',
    file: `$TTL 300
www URL http://example.net/
go REDIRECT https://example.net/
@ APEXCNAME example.net.
@ 10800 IN FLATTEN example.net.
info HTTP example.net
lua LUA A "ifportup(443)"
post MAILFWD someone@example.net
home DYN 192.0.2.1
key._domainkey IN DKIM ( "v=DKIM1; p=AAAA" )
_dmarc DMARC "v=DMARC1; p=none"
`,
    expected: {
      faults: [2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map((line) => `${line} bad_type`),
      refused:
        /^line 2: URL is not a record type: it is a redirect by the web servers of your previous provider\. .* set up the redirect on a web server/,
    },
  },
  {
    system: 'class, type and TTL in any case and order, with units',
    file: 'www in 1h a 192.0.2.1\nmail 1H30M iN aaaa 2001:DB8::1\n\t IN A 192.0.2.2\n$TTL 1d\nold A 192.0.2.3\n',
    expected: { rrsets: ['mail 5400 A', 'mail 5400 AAAA', 'old 86400 A', 'www 3600 A'] },
  },
  {
    system: 'TTLs out of bounds and without a number',
    file: `$TTL 4w
a A 192.0.2.1
b 0 A 192.0.2.1
c 1 A 192.0.2.1
d 2 A 192.0.2.1
e 29 A 192.0.2.1
f 30 A 192.0.2.1
g 604801 A 192.0.2.1
h 99999999999 A 192.0.2.1
i auto IN A 192.0.2.1
j 604800 A 192.0.2.1
k 99999w A 192.0.2.1
`,
    expected: {
      rrsets: [
        'a 604800 A',
        'b 30 A',
        'c 300 A',
        'd 30 A',
        'e 30 A',
        'f 30 A',
        'g 604800 A',
        'h 604800 A',
        'i 300 A',
        'j 604800 A',
        'k 604800 A',
      ],
      adapted: [
        '1 ttl_lowered',
        '3 ttl_raised',
        '4 ttl_automatic',
        '5 ttl_raised',
        '6 ttl_raised',
        '8 ttl_lowered',
        '9 ttl_lowered',
        '10 ttl_automatic',
        '12 ttl_lowered',
      ],
    },
  },
  {
    system: 'no TTL anywhere',
    file: 'www A 192.0.2.1\nmail A 192.0.2.2\n',
    expected: { rrsets: ['mail 3600 A', 'www 3600 A'], adapted: ['1 ttl_usual'] },
  },
  {
    system: 'the TTL of the SOA record, which is left out, goes on to those below',
    file: '@ 10 SOA ns1 host 1 2 3 4 500\nwww A 192.0.2.1\nmail A 192.0.2.2\n',
    expected: { rrsets: ['mail 30 A', 'www 30 A'], ignored: ['1 SOA'], adapted: ['2 ttl_raised'] },
  },
  {
    system: 'a SOA whose owner lacks its dot, and whose data is wrong, gives its name to the lines below',
    file: `example.com IN SOA ns1.example.net. root@example.net (1 2 3 4)
       300 IN NS ns1.example.net.
       300 IN MX 10 mail
`,
    expected: { rrsets: ['@ 300 MX'], ignored: ['1 SOA', '2 NS'], adapted: ['2 soa_owner'] },
  },
  {
    system: '$ORIGIN without its final dot',
    file: '$ORIGIN example.com\n$TTL 300\nwww A 192.0.2.1\n$ORIGIN sub.example.com\nwww A 192.0.2.2\n',
    expected: { rrsets: ['www 300 A', 'www.sub 300 A'], adapted: ['1 origin_dot', '4 origin_dot'] },
  },
  {
    system: 'a file whose origin is the parent',
    file: '$ORIGIN com.\n$TTL 300\nexample SOA ns1.example host 1 2 3 4 5\n  NS ns1.example\nwww.example A 192.0.2.1\nother A 192.0.2.2\n',
    expected: { rrsets: ['www 300 A'], ignored: ['3 SOA', '4 NS', '6 A'] },
  },
  {
    system: 'a dump of several zones',
    file: `$ORIGIN example.org.
@ 300 SOA ns1 host 1 2 3 4 5
www A 192.0.2.1
   A 192.0.2.9
$ORIGIN example.com.
@ SOA ns1 host 1 2 3 4 5
www A 192.0.2.2
`,
    expected: { rrsets: ['www 300 A'], ignored: ['2 SOA', '3 A', '4 A', '6 SOA'] },
  },
  {
    system: 'the file of another zone is refused whole, since replacing would delete everything',
    file: '$ORIGIN example.org.\n@ 300 SOA ns1 host 1 2 3 4 5\n@ NS ns1\nwww A 192.0.2.1\n',
    expected: {
      faults: ['out_of_zone'],
      refused:
        'This is a zone file for example.org. None of its records belongs to example.com. Choose the zone file of example.com.',
    },
  },
  {
    system: 'a transfer that failed',
    file: '; <<>> DiG 9.18 <<>> axfr example.com\n; Transfer failed.\n',
    expected: {
      faults: ['no_records'],
      refused: 'This file contains no records. Check that the zone was exported correctly.',
    },
  },
  {
    system: 'records that belong to the parent, or to BIND',
    file: '@ 300 DS 1 13 2 00\n@ 300 TYPE65534 \\# 5 0d00000001\nwww 300 A 192.0.2.1\nsub 300 SOA ns1 host 1 2 3 4 5\n',
    expected: { rrsets: ['www 300 A'], ignored: ['1 DS', '2 TYPE65534', '4 SOA'] },
  },
  {
    system: 'SPF without an equal TXT, with one that is cut elsewhere, and beside another TXT',
    file: `$TTL 600
@ SPF "v=spf1 -all"
a TXT "v=spf1 " "-all"
a SPF "v=spf1 -all"
b 300 TXT "other"
b TYPE99 \\# 12 0b763d73706631202d616c6c
`,
    expected: {
      rrsets: ['@ 600 TXT', 'a 600 TXT', 'b 300 TXT'],
      adapted: ['2 spf_as_txt', '4 spf_omitted', '6 spf_as_txt', '6 ttl_differs'],
    },
  },
  {
    system: 'text from a word processor: typographic quotation marks',
    file: '$TTL 300\n@ TXT “v=spf1 -all”\nde TXT „Hallo Welt“\nfr TXT «bonjour»\nin TXT "“as it is”"\n',
    expected: { rrsets: ['@ 300 TXT', 'de 300 TXT', 'fr 300 TXT', 'in 300 TXT'], adapted: ['2 curly_quotes'] },
  },
  {
    system: 'typographic quotation marks that do not match are refused, and swallow nothing',
    file: '$TTL 300\n@ TXT "v=spf1 -all”\nmail A 192.0.2.1\nb TXT "x"\nc TXT “open\n',
    expected: { faults: ['2 bad_syntax', '5 bad_syntax'], refused: /^line 2: The text begins with `"` and ends with/ },
  },
  {
    system: 'text from a web page: no-break spaces and invisible characters',
    file: '$TTL\u00a0300\nwww\u00a0IN\u00a0A\u00a0192.0.2.1\n\u200bmail\u2060 A 192.0.2.2\n\u00a0 A 192.0.2.3\n',
    expected: { rrsets: ['mail 300 A', 'www 300 A'], adapted: ['1 odd_space', '3 invisible_character'] },
  },
  {
    system: 'a listing out of a Markdown document',
    file: '```dns\n$TTL 300\nwww A 192.0.2.1\n```\n',
    expected: { rrsets: ['www 300 A'], adapted: ['1 foreign_line'] },
  },
  {
    system: 'a paste of which only the first line lost its indentation',
    file: '$ORIGIN example.com.\n   $TTL 300\n   www IN A 192.0.2.1\n   mail 60 IN A 192.0.2.2\n       A 192.0.2.3\n',
    expected: {
      rrsets: ['mail 60 A', 'www 300 A'],
      adapted: ['2 indented_directive', '3 indented_owner', '4 indented_owner', '5 ttl_differs'],
    },
  },
  {
    system: 'a listing in a mail that was quoted',
    file: '> $TTL 300\n> www A 192.0.2.1\n>\n> ; a comment\n>     A 192.0.2.2\n',
    expected: { rrsets: ['www 300 A'], adapted: ['1 indentation'] },
  },
  {
    system: 'a dump of rndc dumpdb, and a file of DOS',
    file: ';\n; Zone dump of example.com/IN\n;\n$DATE 20260101000000\nwww.example.com. 300 IN A 192.0.2.1\r\n\x1a',
    expected: { rrsets: ['www 300 A'], adapted: ['4 foreign_line', '6 end_mark'] },
  },
  {
    system: 'a part of a file, whose lines have no owner names, is not taken for an indented paste',
    file: '        IN NS ns200.anycast.me.\n    600 IN A 192.0.2.1\n',
    expected: { faults: ['1 bad_name'], refused: /^line 1: The record has no owner name, and none before it to take/ },
  },
  {
    system: 'comments of other languages',
    file: '$TTL 300\nwww A 192.0.2.1\n// the mail server\n# another comment\n/* and one more */\nx TXT "y" # z\n',
    expected: {
      faults: ['3 bad_name', '4 bad_name', '5 bad_name', '6 bad_rdata'],
      refused: /^line 3: /,
    },
  },
  {
    system: 'texts that a `;` without quotes cuts off',
    file: `$TTL 300
_dmarc TXT v=DMARC1; p=none
a TXT k=rsa;p=xx
b TXT "abc";comment
c TXT abc ; fine
f CAA 0 issue letsencrypt.org;validationmethods=dns-01
`,
    expected: {
      faults: ['2 bad_rdata', '3 bad_rdata', '6 bad_rdata'],
      refused: /^line 2: A `;` without quotes begins a comment: the text would end after `v=DMARC1`/,
    },
  },
  {
    system: '`@` as the last label, in names and in data',
    file: '$TTL 300\nwww.@ CNAME web.@\nweb A 192.0.2.1\n_sip._tcp.@ SRV 0 0 5060 web.@\n',
    expected: {
      rrsets: ['_sip._tcp 300 SRV', 'web 300 A', 'www 300 CNAME'],
      adapted: ['2 origin_label', '2 origin_label', '4 origin_label', '4 origin_label'],
    },
  },
  {
    system: 'international names in data of several types',
    file: '$TTL 300\n@ MX 10 größe.example.net.\n_x._tcp SRV 0 0 1 größe\n größe A 192.0.2.1\n*.bücher TXT grün\n',
    expected: {
      rrsets: ['*.xn--bcher-kva 300 TXT', '@ 300 MX', '_x._tcp 300 SRV', 'xn--gre-6ka8i 300 A'],
      adapted: [
        '2 international_name',
        '3 international_name',
        '4 indented_owner',
        '4 international_name',
        '5 international_name',
      ],
    },
  },
  {
    system: 'lines that end with CR CR LF, and with CR alone',
    file: '$TTL 300\r\r\nwww A 192.0.2.1 ; one\r\r\nmail A 192.0.2.2 ; two\rold A 192.0.2.3\r',
    expected: { rrsets: ['mail 300 A', 'old 300 A', 'www 300 A'], adapted: ['3 carriage_return'] },
  },
  {
    system: 'the mark at the end of files of DOS, on a line of its own',
    file: '$TTL 300\r\nwww A 192.0.2.1\r\n\x1a',
    expected: { rrsets: ['www 300 A'], adapted: ['3 end_mark'] },
  },
  {
    system: 'the same mark behind the last record, and often over to fill up a block',
    file: `$TTL 300\nwww A 192.0.2.1\nmail A 192.0.2.2 ${'\x1a'.repeat(100)}\r\n\x1a\n`,
    expected: { rrsets: ['mail 300 A', 'www 300 A'], adapted: ['3 end_mark'] },
  },
  {
    system: 'the same mark in the middle of a file, which may be two files in one',
    file: '$TTL 300\nwww A 192.0.2.1\n\x1a\nmail A 192.0.2.2\n',
    expected: { faults: ['3 bad_name', '3 bad_syntax'], refused: /^line 3: `␚` is not a domain name/ },
  },
  {
    system: 'named-checkzone -D and named-compilezone say what they loaded',
    file: 'zone example.com/IN: loaded serial 2026010101 (DNSSEC signed)\nwww.example.com. 300 IN A 192.0.2.1\nOK\n',
    expected: { rrsets: ['www 300 A'], adapted: ['1 foreign_line'] },
  },
  {
    system: 'a section of dig whose heading lost its semicolons',
    file: 'ANSWER SECTION:\nwww.example.com. 300 IN A 192.0.2.1\n\nADDITIONAL SECTION:\nmail.example.com. 300 IN A 192.0.2.2\n',
    expected: { rrsets: ['mail 300 A', 'www 300 A'], adapted: ['1 foreign_line'] },
  },
  {
    system: 'an owner name that looks like a heading is a name',
    file: '$TTL 300\nok A 192.0.2.1\nOK TXT "x"\nzone A 192.0.2.2\nanswer A 192.0.2.3\n',
    expected: { rrsets: ['answer 300 A', 'ok 300 A', 'ok 300 TXT', 'zone 300 A'] },
  },
  {
    system: 'the class ANY, before or behind the TTL',
    file: 'a 300 ANY A 192.0.2.1\nb ANY 300 TXT "x"\nc ANY MX 10 mail.example.net.\n',
    expected: {
      faults: ['1 bad_class', '2 bad_class', '3 bad_class'],
      refused: /^line 1: Only the class IN is served, not `ANY`/,
    },
  },
  {
    system: 'text on several lines without parentheses',
    file: '$TTL 300\nk._domainkey TXT "v=DKIM1; k=rsa; "\n    "p=MIIB"\n"IDAQAB"\n',
    expected: {
      faults: ['3 bad_syntax', '4 bad_syntax'],
      refused: /^line 3: The text `"p=MIIB"` belongs to no record\. Put text on several lines in parentheses/,
    },
  },
  {
    system: 'a CAA whose value is a `;` without quotes',
    file: '$TTL 300\n@ CAA 0 issue ;\n@ CAA 128 issuewild ; none\n@ CAA 0 issue ";"\n',
    expected: { faults: ['2 bad_rdata', '3 bad_rdata'], refused: /^line 2: A `;` without quotes .* write `";"`/ },
  },
]

for (const { system, file, expected } of dialects)
  test(`import: ${system}`, async () => {
    assertOutcome(await importing(file), expected)
  })

test('import: a file that is not a zone file is refused, and the error names its format and what to import instead', async () => {
  const files: readonly (readonly [file: string | Buffer, refused: RegExp])[] = [
    [Buffer.from('0000000200000000', 'hex'), /^This is a zone in BIND’s raw format.*named-compilezone -f raw -F text/],
    [Buffer.from('0000000300000001ff', 'hex'), /^This is a zone in BIND’s raw format/],
    [Buffer.from('1f8b0800ff', 'hex'), /^This is a compressed file/],
    [Buffer.from('504b0304ff', 'hex'), /^This is a ZIP archive or an Excel sheet/],
    [Buffer.from('www A 192.0.2.1\n', 'utf16le'), /^This is a binary file, or text in UTF-16/],
    ['{"kind":"dns#resourceRecordSetsListResponse","rrsets":[]}', /JSON of Google Cloud DNS.*--zone-file-format/],
    ['[{"rrset_name":"www","rrset_type":"A"}]', /JSON of Gandi/],
    ['{"rrsets":[{"name":"a","records":["192.0.2.1"]}]}', /JSON.*Content-Type: application\/json/],
    ['{"x":1}', /JSON of a shape that is not known here/],
    ['---\nwww:\n  type: A\n  value: 192.0.2.1\n', /YAML of octoDNS/],
    ['kind: dns#resourceRecordSet\nname: example.com.\n', /YAML of Google Cloud DNS/],
    ['name: example.com\nrecords:\n', /YAML/],
    ['# tinydns\n.example.com::ns1.example.com\n+www.example.com:192.0.2.1:300\n', /data file of tinydns/],
    ['// mine\nD("example.com", REG_NONE,\n  A("@", "192.0.2.1"))\n', /configuration of DNSControl.*get-zones/],
    ['resource "aws_route53_record" "www" {\n', /configuration of Terraform/],
    ['zone "example.com" {\n  type primary;\n};\n', /named\.conf/],
    ['header-arecord,address*,fqdn*,comment\n', /a table or a CSV file/],
    ['www;A;192.0.2.1;300\n', /a table or a CSV file/],
    ['--- a/zone\n+++ b/zone\n@@ -1 +1 @@\n+www A 192.0.2.1\n', /a patch \(diff\)/],
    ['------------\n|  ListResourceRecordSets  |\n', /a table/],
    ['Type,Name,Content,TTL\nA,www,192.0.2.1,300\n', /a table or a CSV file/],
    ['"www.example.com","A","300","192.0.2.1"\n', /a table or a CSV file/],
    ['A Record\t@\t192.0.2.1\tAutomatic\nTXT Record\t@\tv=spf1 -all\tAutomatic\n', /a table or a CSV file/],
    ['A @ 192.0.2.1 300\nA www 192.0.2.1 300\n', /a table or a CSV file/],
    ['CNAME www example.net. 3600\n', /a table or a CSV file/],
    ['TXT\t_dmarc\t"v=DMARC1; p=none"\n', /a table or a CSV file/],
    ['MX *.sub 10 mail.example.net\n', /a table or a CSV file/],
    ['NAME          TYPE  TTL  DATA\nexample.com.  A     300  192.0.2.1\n', /a table or a CSV file/],
    ['| Type | Name | Value |\n|---|---|---|\n', /a table/],
    ['HostName  RecordType Type Timestamp TimeToLive RecordData\n', /output of PowerShell.*Export-DnsServerZone/],
    ['<!DOCTYPE html>\n<html>\n', /HTML/],
    ['<?xml version="1.0"?>\n<zone/>\n', /XML/],
    ['127.0.0.1 localhost\n192.0.2.1 www.example.com www\n', /hosts file/],
    ['www.example.com has address 192.0.2.1\n', /output of `host`/],
    ['> ls -d example.com\n[dc1]\n www A 192.0.2.1\n', /output of `nslookup`/],
    ['[dc1.example.com]\n www    A     192.0.2.1\n', /output of `nslookup`/],
    ['server 192.0.2.1\nupdate add www.example.com 300 A 192.0.2.1\nsend\n', /script for nsupdate/],
    ['www.example.com. +300 A 192.0.2.1 ~\n', /zone of MaraDNS/],
    ['local-data: "www.example.com. A 192.0.2.1"\n', /configuration of Unbound/],
    ['RESOURCERECORDSETS\texample.com.\t300\tA\n', /AWS command line/],
    ["INSERT INTO records VALUES (1, 'www');\n", /dump of a database/],
    ['DROP TABLE IF EXISTS `records`;\n', /dump of a database/],
    ['BEGIN TRANSACTION;\nCREATE TABLE records (id int);\n', /dump of a database/],
    ['Using domain server:\nName: 192.0.2.53\n', /output of `host`/],
    ['Trying "example.com"\n;; ANSWER SECTION:\n', /output of `host`/],
    ['A\t*\t192.0.2.1\t15 Minutes\n', /a table or a CSV file/],
    ['CNAME * example.net. 3600\n', /a table or a CSV file/],
    ['Typ\tHostname\tWert\nA\t@\t192.0.2.1\n', /a table or a CSV file/],
    ['主机记录\t记录类型\t线路类型\t记录值\n', /a table or a CSV file/],
    [
      '--x\r\nContent-Disposition: form-data; name="file"\r\n\r\nwww 300 A 192.0.2.1\r\n--x--\r\n',
      /a form .*--data-binary @FILE/,
    ],
    ['HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nwww 300 A 192.0.2.1\n', /an HTTP response/],
  ]
  for (const [file, refused] of files) {
    const outcome = await importing(file)
    assert.match(String(outcome.refused), refused)
    assert.deepEqual(outcome.faults, ['not_a_zone_file'], String(file))
  }
})

test('import: JSON of other services is refused in one sentence, however it is sent', async () => {
  const route53 = { ResourceRecordSets: [{ Name: 'example.com.', Type: 'A', TTL: 300, ResourceRecords: [] }] }
  const powerDns = { rrsets: [{ name: 'www', type: 'A', records: [{ content: '192.0.2.1', disabled: false }] }] }
  const large = { ResourceRecordSets: Array.from({ length: 20_000 }, () => route53.ResourceRecordSets[0]) }
  for (const [body, is] of [
    [route53, /^This is JSON of Route 53/],
    [powerDns, /^This is JSON of PowerDNS/],
    [large, /^This is JSON of Route 53/],
  ] as const) {
    const outcome = await importing(body, {})
    assert.match(String(outcome.refused), is)
    assert.deepEqual(outcome.faults, ['not_a_zone_file'])
  }
  const own = { rrsets: [{ name: 'www', type: 'TXT', ttl: 300, records: ['ResourceRecords'] }] }
  assertOutcome(await importing(own, {}), { rrsets: ['www 300 TXT'] })
})
