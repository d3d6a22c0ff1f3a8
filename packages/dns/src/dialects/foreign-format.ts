import { isType } from '../type.ts'

/** Characters at the beginning of a text that decide its format. */
const headCharacters = 16 * 1024

/** The advice for formats without their own. */
const ordinary = 'Export the zone as a zone file, which is often called “BIND format”, and import that.'

/** A format other than zone files: how to recognize it, what it is, and what to export instead. */
interface Format {
  readonly matches: RegExp
  readonly is: string
  readonly instead?: string
}

const route53 = 'Route 53 exports no zone files: run `cli53 export --full ZONE`, and import what it writes.'
const google = 'Run `gcloud dns record-sets export FILE --zone=ZONE --zone-file-format`, and import the file.'
const azure =
  'Run `az network dns zone export --resource-group GROUP --name ZONE --file-name FILE`, and import the file.'
const powerDns = 'Run `pdnsutil list-zone ZONE`, and import what it writes.'
const windows = 'Run `Export-DnsServerZone` in PowerShell, and import the file that it writes.'
const axfr = 'Run `dig @SERVER ZONE AXFR`, and import what it writes.'

/** Kinds of JSON, recognized by members that only they have. */
const jsonFormats: readonly Format[] = [
  {
    matches: /"ResourceRecordSets"|"ResourceRecords"|"AliasTarget"|"ChangeBatch"/,
    is: 'JSON of Route 53',
    instead: route53,
  },
  { matches: /"dns#|"rrdatas"/, is: 'JSON of Google Cloud DNS', instead: google },
  {
    matches: /Microsoft\.Network\/dns|"(?:provisioningState|a{1,4}[rR]ecords|A{1,4}Records)"/,
    is: 'JSON of Azure DNS',
    instead: azure,
  },
  {
    matches: /"proxi(?:ed|able)"|"cf_tags"/,
    is: 'JSON of Cloudflare',
    instead: 'Choose DNS → Records → Import and export → Export in its dashboard, and import the file.',
  },
  {
    matches: /"domain_records?"/,
    is: 'JSON of DigitalOcean',
    instead: 'Take the member `zone_file` of `GET /v2/domains/ZONE`, and import that.',
  },
  {
    matches: /"rrset_(?:name|values|type)"/,
    is: 'JSON of Gandi',
    instead: 'Ask for the same address with `Accept: text/plain`, and import the answer.',
  },
  {
    matches:
      /"(?:soa_edit(?:_api)?|changetype|nsec3narrow|records"\s*:\s*\[\s*\{\s*"content|disabled"\s*:\s*(?:true|false),?\s*"content)"/,
    is: 'JSON of PowerDNS',
    instead: powerDns,
  },
  { matches: /"AWSTemplateFormatVersion"|"AWS::/, is: 'a template of CloudFormation', instead: route53 },
]

/** The JSON of this API, sent with another content type. */
const ownJson: Format = {
  matches: /^\{\s*"rrsets"\s*:/,
  is: 'JSON',
  instead: 'Send it with `Content-Type: application/json`.',
}

const textFormats: readonly Format[] = [
  {
    matches: /^(?:diff -|--- \S.*\n\+\+\+ \S|@@ -\d)/,
    is: 'a patch (diff)',
    instead: 'Apply it to the zone file, and import that.',
  },
  {
    matches: /^--\S+\s*\nContent-Disposition:/i,
    is: 'a form (multipart/form-data)',
    instead: 'Send the zone file itself as the body, as `curl --data-binary @FILE` does.',
  },
  {
    matches: /^HTTP\/\d(?:\.\d)? \d{3}\b/,
    is: 'an HTTP response with its headers',
    instead: 'Save only the body, and import that.',
  },
  { matches: /^\{\\rtf/, is: 'a document in RTF', instead: 'Save it as plain text in UTF-8, and import that.' },
  {
    matches: /^<(?:!doctype\s+html|!--|html|head|body|table|div|pre|span|p|meta)\b/i,
    is: 'HTML',
    instead: 'Download the zone file itself, or copy its text from the page and not the page’s source.',
  },
  { matches: /^<(?:\?xml|[a-z][\w:.-]*[\s>/])/i, is: 'XML' },
]

/** Formats that are recognized by their first line, not counting empty lines and comments. */
const lineFormats: readonly Format[] = [
  { matches: /^RESOURCERECORDSETS\s/, is: 'a list of the AWS command line', instead: route53 },
  { matches: /^AWSTemplateFormatVersion\s*:/, is: 'a template of CloudFormation', instead: route53 },
  { matches: /^kind:\s*dns#|^(?:-\s+)?rrdatas:/, is: 'YAML of Google Cloud DNS', instead: google },
  {
    matches: /^(?:resource|data|module|terraform|provider|variable|locals|output)\b.*\{\s*$/,
    is: 'a configuration of Terraform',
    instead: 'Export the zone from the provider that Terraform set up, as a zone file.',
  },
  {
    matches:
      /^(?:D|D_EXTEND|DOMAIN_ELSEWHERE|require|NewRegistrar|NewDnsProvider)\(\s*(?:["'`]|$)|^(?:var|const|let)\s+\w+\s*=/,
    is: 'a configuration of DNSControl',
    instead: 'Run `dnscontrol get-zones --format=zone CREDENTIAL PROVIDER ZONE`, and import what it writes.',
  },
  {
    matches:
      /^(?:zone|options|view|acl|include|logging|key|controls|masters|primaries)\b.*\{\s*$|^(?:zone|view)\s+"[^"]*".*\{|^include\s+"[^"]*";/,
    is: 'a configuration file of a nameserver (named.conf)',
    instead: 'Import the zone file that its `file` statement names.',
  },
  {
    matches: /^(?:local-data|local-zone|server|stub-zone|forward-zone|auth-zone)(?:-ptr)?:/,
    is: 'a configuration of Unbound',
    instead: 'Write each `local-data` as a line of a zone file.',
  },
  {
    matches: /^(?:address|host-record|cname|txt-record|mx-host|srv-host|ptr-record|local|server|domain)=/,
    is: 'a configuration of dnsmasq',
    instead: 'Write each record as a line of a zone file.',
  },
  {
    matches: /^(?:update\s+(?:add|delete)|prereq\s|server\s+\S+\s*$|zone\s+\S+\s*$|ttl\s+\d+\s*$)/i,
    is: 'a script for nsupdate',
    instead: axfr,
  },
  {
    matches:
      /^Using domain server:$|^Trying "[^"]*"$|^\S+ (?:has (?:IPv6 )?address|is an alias for|mail is handled by|domain name pointer|descriptive text|name server) /,
    is: 'the output of `host`',
    instead: axfr,
  },
  {
    matches: /^(?:>\s*(?:ls|set|server|exit|view)\b|\[[^\]\s]+\]\s*$|(?:Default\s+)?Server:\s|\*\*\* )/,
    is: 'the output of `nslookup`, whose names lack their final dots',
    instead: axfr,
  },
  {
    matches: /^HostName\s+RecordType\b|^ZoneName\s*:|^DistinguishedName\s*:/i,
    is: 'the output of PowerShell',
    instead: windows,
  },
  {
    matches:
      /^(?:(?:INSERT|REPLACE)\s+INTO|(?:CREATE|DROP|LOCK)\s+TABLES?|BEGIN(?:\s+TRANSACTION)?;|PRAGMA\s|COPY\s+\S+\s*\(|SET\s+\w+\s*=)/i,
    is: 'a dump of a database',
    instead: powerDns,
  },
  {
    matches: /^[.&=+@'^CZ36:%-][\w*.\\-]+(?<!\\):(?=\S)/,
    is: 'a data file of tinydns',
    instead:
      'Run `tcpclient SERVER 53 axfr-get ZONE FILE FILE.tmp`, or `dig @SERVER ZONE AXFR`, and import a zone file.',
  },
  { matches: /^\S+\s+\+\d+\s+\S.*~\s*$/, is: 'a zone of MaraDNS', instead: axfr },
  { matches: /^\[\[?[\w.-]+\]?\]\s*$/, is: 'TOML' },
  { matches: /^(?:[┌┏╔╭┃║│]|\+[-=]+\+|\|\s|-{4,}\s*$)/u, is: 'a table', instead: ordinary },
  {
    matches:
      /^(?:---(?:\s|$)|%YAML|-\s+['"\w-]+\s*:|-\s*$|\?\s+['"]|(?:''|""|'[^']*'|"[^"]*"|[\w.*@$/-]+)\s*:(?:\s|$))/,
    is: 'YAML',
  },
]

/**
 * Why a text is not a zone file: its format, and what to import instead, in one message; undefined if it may be a zone file.
 *
 * Looks only at the beginning.
 */
export function foreignFormat(text: string): string | undefined {
  const head = text.slice(0, headCharacters).replace(/^\ufeff/, '')
  if (head.includes('\0')) return refusal(binaryFormat(head))
  const start = head.trimStart()
  const format = textFormats.find(({ matches }) => matches.test(start))
  if (format) return refusal(format)
  if (/^(?:\{|\[\s*(?:[{["\]]|$))/.test(start)) return foreignJson(start) ?? refusal(unknownJson(start))
  const line = firstLine(start)
  if (line === undefined) return undefined
  if (isHostsLine(line)) return refusal({ is: 'a hosts file', instead: 'Write each line as `NAME A ADDRESS`.' })
  const written = lineFormats.find(({ matches }) => matches.test(line))
  if (written) return refusal(yamlOf(written, start))
  if (isTableHead(line) || isCsvRow(line) || isTypeFirst(line)) return refusal({ is: 'a table or a CSV file' })
  return undefined
}

/** The same for JSON, of which `text` is the beginning; undefined if the kind is unknown. */
export function foreignJson(text: string): string | undefined {
  const format = jsonFormats.find(({ matches }) => matches.test(text))
  return format && refusal(format)
}

function unknownJson(text: string): Pick<Format, 'is' | 'instead'> {
  return ownJson.matches.test(text) ? ownJson : { is: 'JSON of a shape that is not known here' }
}

function refusal({ is, instead = ordinary }: Pick<Format, 'is' | 'instead'>): string {
  return `This is ${is}, not a zone file. ${instead}`
}

/** The same for binary data; undefined if the bytes may be text. */
export function foreignBytes(bytes: Uint8Array): string | undefined {
  const hex = Array.from(bytes.subarray(0, 4), (byte) => byte.toString(16).padStart(2, '0')).join('')
  const format = byteFormats.find(({ matches }) => matches.test(hex))
  return format && refusal(format)
}

const rawFormat = {
  is: 'a zone in BIND’s raw format',
  instead: 'Run `named-compilezone -f raw -F text -o FILE ZONE RAWFILE`, and import the file that it writes.',
}
const unpack = 'Unpack it, and import the zone file in it.'

/** Formats by their first four bytes in hexadecimal. */
const byteFormats: readonly Format[] = [
  { matches: /^0000000[1-4]/, ...rawFormat },
  { matches: /^1f8b|^425a68|^fd377a58|^28b52ffd/, is: 'a compressed file', instead: unpack },
  { matches: /^504b030[46]/, is: 'a ZIP archive or an Excel sheet', instead: unpack },
  {
    matches: /^d0cf11e0/,
    is: 'an Excel or Word document',
    instead: 'Save it as plain text in UTF-8, and import that.',
  },
  { matches: /^25504446/, is: 'a PDF document' },
]

function binaryFormat(head: string): Pick<Format, 'is' | 'instead'> {
  if (/^\0\0\0[\x01-\x04]/.test(head)) return rawFormat
  return { is: 'a binary file, or text in UTF-16', instead: 'Save it as plain text in UTF-8, and import that.' }
}

/** The kind of YAML, if it is known. */
function yamlOf(format: Format, text: string): Pick<Format, 'is' | 'instead'> {
  if (format.is !== 'YAML') return format
  if (/^\s*(?:kind:\s*dns#|rrdatas:)/m.test(text)) return { is: 'YAML of Google Cloud DNS', instead: google }
  if (/AWS::|ResourceRecordSets:/.test(text)) return { is: 'YAML for AWS', instead: route53 }
  if (/^(?:''|""|[\w.*'"@-]+):\s*$/m.test(text) && /^\s+(?:- )?(?:octodns|type):/m.test(text))
    return { is: 'YAML of octoDNS', instead: 'Export the zone from the provider that octoDNS manages, as a zone file.' }
  return format
}

/** The first line that is neither empty nor a comment, of this or any other format. */
function firstLine(text: string): string | undefined {
  for (const line of text.split(/\r\n|\n|\r/)) {
    const trimmed = line.trim()
    if (trimmed !== '' && !/^(?:;|#|\/\/|\/\*|--\s)/.test(trimmed)) return trimmed
  }
  return undefined
}

const columns = new Set(
  (
    'class comment comments content created data destination enabled fqdn flags host hostname id line modified name notes port priority prio proxied proxy ' +
    'rdata record recorddata records recordtype resource rrset status tag tags target timestamp timetolive ttl type value values weight zone address answer domain points to (seconds) mx ' +
    // In German, Spanish, French and Chinese.
    'typ wert ziel priorität tipo nombre valor prioridad nom valeur cible priorité 主机记录 记录类型 线路类型 记录值'
  ).split(' '),
)

/** Columns of which a table of records has at least one. */
const typeColumns = new Set(['type', 'recordtype', 'ttl', 'typ', 'tipo', '记录类型'])

/** Whether a line is the header of a table, with any separators. */
function isTableHead(line: string): boolean {
  const words = line
    .toLowerCase()
    .split(/[\s,;|\t"'_]+/)
    .filter((word) => word !== '')
  const isColumns = words.length >= 3 && words.every((word) => columns.has(word))
  return isColumns && words.some((word) => typeColumns.has(word))
}

/** Whether a line is a record with its fields separated by commas or semicolons. */
function isCsvRow(line: string): boolean {
  const cells = line.split(/[,;\t]/).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'))
  const first = line.split(/\s/, 1)[0] ?? ''
  // No owner name has this many separators: a zone-file line that begins like this would have no type.
  if (/^(?:[^\s,]*,){2}|^(?:[^\s;]+;){2}|^"[^"]*"[,;]/.test(line)) return true
  return (
    cells.length >= 3 &&
    /[,;]/.test(first) &&
    cells.some((cell) => /^(?:A|AAAA|CNAME|MX|TXT|NS|SRV|CAA|PTR|SOA)$/.test(cell))
  )
}

/** Whether a line is a record with the type before the name, as in `A @ 192.0.2.1 300` and `CNAME Record www example.net`. */
function isTypeFirst(line: string): boolean {
  const [type = '', second = '', third = ''] = line.split(/\s+/, 3)
  if (!/^(?:A|AAAA|CAA|CNAME|MX|NS|SRV|TXT)$/.test(type) || third === '' || third.startsWith(';')) return false
  // `*` is also a name of the type ANY.
  if (second === '*') return true
  return /^[@*A-Za-z_]/.test(second) && !/^(?:IN|CH|HS|auto(?:matic)?)$/i.test(second) && !isType(second)
}

/** Whether a line is an address followed by its names. */
function isHostsLine(line: string): boolean {
  const [address = '', second = ''] = line.split(/\s+/, 2)
  const isAddress = /^\d{1,3}(?:\.\d{1,3}){3}$/.test(address) || /^[0-9a-f]*:[0-9a-f:]*:[0-9a-f.]*$/i.test(address)
  return isAddress && /[a-z]/i.test(second) && !/^(?:\d+[smhdw]|IN|CH|HS)$/i.test(second) && !isType(second)
}
