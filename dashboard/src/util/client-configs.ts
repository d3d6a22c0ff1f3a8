/** What a configuration is filled with. */
export interface ClientUse {
  /** The address of the service. */
  readonly site: URL
  readonly zone: string
  readonly nameservers: readonly string[]
  /** The host, or the name in the certificate, in full. */
  readonly host: string
  /** Clients send it as the user name. It can be anything. */
  readonly user: string
  /** The email address of the account at the certificate authority. */
  readonly email: string
}

/** A file, a command or the content of a field, and where it belongs. */
export interface ConfigPart {
  readonly where: string
  readonly text: string
}

export type Config = (use: ClientUse) => readonly ConfigPart[]

/** In place of the secret, which only the response to the creation of a key has. */
export const secretPlaceholder = 'svc_live_YOUR_KEY'

/** In place of an email address that has a meaning in a shell or in YAML. */
const emailPlaceholder = 'you@example.net'

/**
 * The values for the configurations of a key.
 *
 * Configurations contain the values as they are, so the user name is the name of the key only if it is one plain word.
 */
export function clientUse({
  origin,
  zone,
  host,
  key,
  email,
}: {
  readonly origin: string
  readonly zone: { readonly name: string; readonly nameservers: readonly string[] }
  /** Relative to the zone. `@` is the zone itself. */
  readonly host: string
  readonly key: { readonly id: string; readonly name: string }
  readonly email: string
}): ClientUse {
  return {
    site: new URL(origin),
    zone: zone.name,
    nameservers: zone.nameservers,
    host: host === '@' ? zone.name : `${host}.${zone.name}`,
    user: /^\w[\w.-]*$/.test(key.name) ? key.name : key.id,
    email: /^\w[\w.+-]*@\w[\w.-]*$/.test(email) ? email : emailPlaceholder,
  }
}

/**
 * The configurations of clients that use an API key, by the ids of the clients. `npm run client-pages` writes them into docs/customers. Clients
 * that sign with a TSIG secret get theirs from the service.
 */
export const clientConfigs = {
  lego: ({ site, host, user, email }) => [
    {
      where: 'Commands',
      text: `export HTTPREQ_ENDPOINT=${site.origin}/acme
export HTTPREQ_USERNAME=${user}
export HTTPREQ_PASSWORD=${secretPlaceholder}
lego --accept-tos --email ${email} --dns httpreq --domains ${host} run
`,
    },
  ],
  'lego-pdns': ({ site, zone, email }) => [
    {
      where: 'Commands',
      text: `export PDNS_API_URL=${site.origin}
export PDNS_API_KEY=${secretPlaceholder}
lego --accept-tos --email ${email} --dns pdns --domains ${zone} --domains '*.${zone}' run
`,
    },
  ],
  traefik: ({ site, user, email }) => [
    {
      where: 'Environment of Traefik',
      text: `HTTPREQ_ENDPOINT=${site.origin}/acme
HTTPREQ_USERNAME=${user}
HTTPREQ_PASSWORD=${secretPlaceholder}
`,
    },
    {
      where: 'Static configuration',
      text: `certificatesResolvers:
  zonewright:
    acme:
      email: ${email}
      storage: acme.json
      dnsChallenge:
        provider: httpreq
`,
    },
  ],
  caddy: ({ site, host, user }) => [
    {
      where: 'Caddyfile',
      text: `${host} {
    tls {
        dns acmedns {
            username ${user}
            password ${secretPlaceholder}
            subdomain ${host}
            server_url ${site.origin}/acme-dns
        }
    }
}
`,
    },
  ],
  'cert-manager': ({ site, email }) => [
    { where: 'Commands', text: 'kubectl create secret generic acme-dns --from-file acmedns.json\n' },
    {
      where: 'Issuer',
      text: `apiVersion: cert-manager.io/v1
kind: Issuer
metadata:
  name: zonewright
spec:
  acme:
    email: ${email}
    server: https://acme-v02.api.letsencrypt.org/directory
    privateKeySecretRef:
      name: zonewright-account
    solvers:
      - dns01:
          acmeDNS:
            host: ${site.origin}/acme-dns
            accountSecretRef:
              name: acme-dns
              key: acmedns.json
`,
    },
  ],
  'acme-sh': ({ site, host, user }) => [
    {
      where: 'Commands',
      text: `export ACMEDNS_BASE_URL=${site.origin}/acme-dns
export ACMEDNS_USERNAME=${user}
export ACMEDNS_PASSWORD=${secretPlaceholder}
export ACMEDNS_SUBDOMAIN=${host}
acme.sh --issue --dns dns_acmedns --domain ${host}
`,
    },
  ],
  'acme-sh-pdns': ({ site, zone }) => [
    {
      where: 'Commands',
      text: `export PDNS_Url=${site.origin}
export PDNS_ServerId=localhost
export PDNS_Token=${secretPlaceholder}
export PDNS_Ttl=60
acme.sh --issue --dns dns_pdns --domain ${zone} --domain '*.${zone}'
`,
    },
  ],
  opnsense: ({ site }) => [
    { where: 'Challenge type', text: 'DNS-01' },
    { where: 'DNS service', text: 'PowerDNS API' },
    { where: 'URL', text: site.origin },
    { where: 'Server id', text: 'localhost' },
    { where: 'Token', text: secretPlaceholder },
  ],
  /** Only the account file, which the service writes. */
  'acme-dns': () => [],
  ddclient: ({ site, host, user }) => [
    {
      where: '/etc/ddclient.conf',
      text: `daemon=300
ssl=${isSecure(site) ? 'yes' : 'no'}
protocol=dyndns2
use=web, web=${site.origin}/checkip
server=${site.host}
login=${user}
password='${secretPlaceholder}'
${host}
`,
    },
  ],
  inadyn: ({ site, host, user }) => [
    {
      where: '/etc/inadyn.conf',
      text: `period = 300

custom zonewright {
    ssl         = ${isSecure(site)}${isSecure(site) ? '' : '\n    checkip-ssl = false'}
    username    = "${user}"
    password    = "${secretPlaceholder}"
    hostname    = "${host}"
    checkip-server = "${site.host}"
    checkip-path   = "/checkip"
    ddns-server = "${site.host}"
    ddns-path   = "/nic/update?hostname=%h&myip=%i"
    ddns-response = { "good", "nochg" }
}
`,
    },
  ],
  fritzbox: ({ site, host, user }) => [
    {
      where: 'Update URL',
      text: `${site.origin}/nic/update?hostname=<domain>&myip=<ipaddr>&myipv6=<ip6addr>`,
    },
    { where: 'Domain name', text: host },
    { where: 'User name', text: user },
    { where: 'Password', text: secretPlaceholder },
  ],
  unifi: ({ site, host, user }) => [
    { where: 'Service', text: 'custom' },
    { where: 'Hostname', text: host },
    { where: 'Username', text: user },
    { where: 'Password', text: secretPlaceholder },
    { where: 'Server', text: `${site.host}/nic/update?hostname=%h&myip=%i` },
  ],
  openwrt: ({ site, host, user }) => [
    {
      where: '/etc/config/ddns',
      text: `config service 'zonewright'
    option enabled '1'
    option lookup_host '${host}'
    option domain '${host}'
    option username '${user}'
    option password '${secretPlaceholder}'
    option update_url '${site.protocol}//[USERNAME]:[PASSWORD]@${site.host}/nic/update?hostname=[DOMAIN]&myip=[IP]'
    option use_https '${isSecure(site) ? 1 : 0}'
    option cacert '/etc/ssl/certs'
    option interface 'wan'
    option ip_source 'network'
    option ip_network 'wan'
`,
    },
  ],
  'opnsense-dynamic-dns': ({ site, host, user }) => [
    { where: 'Service', text: 'Custom' },
    { where: 'Protocol', text: 'DynDNS 2' },
    { where: 'Server', text: site.host },
    { where: 'Username', text: user },
    { where: 'Password', text: secretPlaceholder },
    { where: 'Hostname(s)', text: host },
    { where: 'Force SSL', text: isSecure(site) ? 'yes' : 'no' },
  ],
  'dynamic-dns': ({ site, host, user }) => [
    { where: 'Server', text: site.host },
    { where: 'Path', text: `/nic/update?hostname=${host}` },
    { where: 'Host', text: host },
    { where: 'User name', text: user },
    { where: 'Password', text: secretPlaceholder },
  ],
  'external-dns': ({ site, zone }) => [
    {
      where: 'Commands',
      text: `kubectl create secret generic external-dns --from-literal=pdns-api-key=${secretPlaceholder}\n`,
    },
    {
      where: 'Container of external-dns',
      text: `args:
  - --source=service
  - --source=ingress
  - --provider=pdns
  - --pdns-server=${site.origin}
  - --domain-filter=${zone}
  - --txt-owner-id=my-cluster
  - --interval=1m
env:
  - name: EXTERNAL_DNS_PDNS_API_KEY
    valueFrom:
      secretKeyRef:
        name: external-dns
        key: pdns-api-key
`,
    },
  ],
  terraform: ({ site, zone }) => [
    {
      where: 'Commands',
      text: `export PDNS_SERVER_URL=${site.origin}
export PDNS_API_KEY=${secretPlaceholder}
`,
    },
    {
      where: 'main.tf',
      text: `terraform {
  required_providers {
    powerdns = {
      source = "pan-net/powerdns"
    }
  }
}

provider "powerdns" {
  cache_requests = true
}

resource "powerdns_record" "www" {
  zone    = "${zone}."
  name    = "www.${zone}."
  type    = "A"
  ttl     = 300
  records = ["192.0.2.1"]
}
`,
    },
  ],
  octodns: ({ site, zone }) => [
    {
      where: 'Commands',
      text: `pip install octodns octodns-powerdns
export ZONEWRIGHT_KEY=${secretPlaceholder}
`,
    },
    {
      where: 'Configuration of octoDNS',
      text: `providers:
  config:
    class: octodns.provider.yaml.YamlProvider
    directory: ./config
  zonewright:
    class: octodns_powerdns.PowerDnsProvider
    host: ${site.hostname}
    port: ${site.port || (isSecure(site) ? 443 : 80)}
    scheme: ${isSecure(site) ? 'https' : 'http'}
    api_key: env/ZONEWRIGHT_KEY
    timeout: 30

zones:
  ${zone}.:
    sources:
      - config
    targets:
      - zonewright
`,
    },
  ],
  dnscontrol: ({ site, zone, nameservers }) => [
    {
      where: 'creds.json',
      text: `{
  "zonewright": {
    "TYPE": "POWERDNS",
    "apiUrl": "${site.origin}",
    "apiKey": "${secretPlaceholder}",
    "serverName": "localhost"
  }
}
`,
    },
    {
      where: 'dnsconfig.js',
      text: `var none = NewRegistrar("none");
var zonewright = NewDnsProvider("zonewright", {
  default_ns: [${nameservers.map((name) => `"${name}."`).join(', ')}],
});

D("${zone}", none, DnsProvider(zonewright), DefaultTTL(300),
  A("www", "192.0.2.1"),
  TXT("@", "v=spf1 -all"),
);
`,
    },
  ],
  proxmox: ({ site, zone }) => [
    {
      where: 'Command on a node',
      text: `pvesh create /cluster/sdn/dns --dns zonewright --type powerdns --ttl 300 \\
  --url ${site.origin}/api/v1/servers/localhost --key ${secretPlaceholder}
`,
    },
    { where: 'DNS', text: 'zonewright' },
    { where: 'DNS Zone', text: zone },
  ],
} satisfies Readonly<Record<string, Config>>

function isSecure(site: URL): boolean {
  return site.protocol === 'https:'
}
