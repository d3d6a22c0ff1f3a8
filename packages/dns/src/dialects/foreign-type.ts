/**
 * A word that another system writes instead of a record type. Its line is either refused, with a message that says what to do instead, or
 * left out, with the reason, because it is not part of the zone's data.
 */
export interface ForeignType {
  readonly isIgnored: boolean
  readonly message: string
}

const alias =
  'is not a record type: it is an alias that only your previous provider has. At the zone’s own name, enter an ALIAS with the target. At any other name, enter a CNAME.'
const redirect =
  'is not a record type: it is a redirect by the web servers of your previous provider. Delete the line, and set up the redirect on a web server that the name points to.'
const mail =
  'is not a record type: it is a mail service of your previous provider. Enter the MX records of your mail server instead.'
const computed =
  'is not a record type: your previous provider computes this answer. Enter the records that the answer should have, such as A and AAAA.'
const text =
  'is not a record type: your previous provider uses this word for a TXT record. Enter a TXT record with the same name and text.'
const dynamic =
  'is not a record type: it is a setting of your previous provider. Enter the A or AAAA record, and delete the line.'

const refused: readonly (readonly [message: string, types: string])[] = [
  [
    alias,
    'APEXCNAME APEXALIAS CNAMEFLAT FLATTEN FLATTENED XALIAS ALIASA AWS R53_ALIAS AZURE_ALIAS AKAMAICDN AKAMAITLC EDGEKEY',
  ],
  [
    redirect,
    'URL URL301 URL302 URLFRAME URLFWD URL_REDIRECT URLREDIRECT PORKBUN_URLFWD NS1_URLFWD REDIRECT REDIRECT301 REDIRECT302 REDIR RDR BUNNY_DNS_RDR CLOUDNS_WR WR FRAME MASK MASKED UNMASKED CLOAK WEBFWD WEBFORWARD WEB_FORWARD WEBREDIRECT WEBHOP STEALTH HTTPREDIRECT HTTPREDIRECTION FORWARD FORWARDING FWD HTTP HTTP301 HTTP302 HTTP_REDIRECT HTTP-REDIRECT HTTPRED PAGE_RULE CF_REDIRECT CF_TEMP_REDIRECT CF_SINGLE_REDIRECT DOMAINFORWARD PARK PARKED PARKING',
  ],
  [mail, 'MXE MAILFWD MAILFORWARD MAIL_FORWARD EMAIL EMAILFORWARD EMAIL_FORWARD MAILHOP'],
  [
    computed,
    'LUA TYPE65402 POOL POOLS GEO GEODNS GEOIP GSLB LB LOADBALANCER FAILOVER ROUNDROBIN WEIGHTED DYNA DYNC METAFO SCRIPT WORKER WORKERS CF_WORKER_ROUTE TUNNEL PAGES R2 BUNNY_DNS_PZ PULLZONE NETLIFY NETLIFYV6 NETLIFY6 VERCEL',
  ],
  [text, 'DKIM DMARC'],
  [dynamic, 'DYN DDNS DYNDNS DYNAMIC'],
]

const ignored: readonly (readonly [reason: string, types: string])[] = [
  ['It is a setting of Windows servers for WINS, and is not DNS data.', 'WINS WINSR WINS-R TYPE65281 TYPE65282'],
  ['BIND keeps its signing state in it. It is not DNS data.', 'TYPE65534'],
  ['It signs or describes one message, and is not DNS data.', 'TSIG TKEY OPT'],
]

const known: ReadonlyMap<string, ForeignType> = new Map([
  ...refused.flatMap(([message, types]) => entries(types, { isIgnored: false, message })),
  ...ignored.flatMap(([message, types]) => entries(types, { isIgnored: true, message })),
])

function entries(types: string, type: ForeignType): [string, ForeignType][] {
  return types.split(' ').map((name) => [name, type])
}

/** What another system means by a type, in any case; undefined if it is not one of these types. */
export function foreignType(text: string): ForeignType | undefined {
  const type = known.get(text.toUpperCase())
  if (type === undefined) return undefined
  return type.isIgnored ? type : { isIgnored: false, message: `${text} ${type.message}` }
}
