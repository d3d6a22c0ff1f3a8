import type { TsigClient, WireKeyLimit } from '@zonewright/contract'

/** The data of a configuration. */
export interface TsigUse {
  /** The name of the TSIG key, without a final dot. */
  readonly keyName: string
  /** The DNS door. */
  readonly door: { readonly host: string; readonly port: number }
  /** The most important one first. Empty if the key covers all of its account and no zone was chosen. */
  readonly zones: readonly string[]
  /** For the account at the certificate authority, in the configurations of programs that get certificates. */
  readonly email?: string
  /** The limits of the key. Null: it has none. */
  readonly limits?: readonly WireKeyLimit[] | null
}

/** The placeholder for the secret in a configuration. */
const placeholder = 'SECRET'

/** The zones that one configuration names. */
const mostZones = 100

/** Any other address could have a meaning in a shell. */
const plainEmail = /^\w[\w.+-]*@\w[\w.-]*$/

/**
 * A configuration file for a client of the DNS door, with `SECRET` in place of the secret.
 *
 * All of them set the algorithm: several clients use hmac-md5 or hmac-sha1 by default, which the service does not accept.
 */
export function tsigConfig(client: TsigClient, use: TsigUse): string {
  const zones = use.zones.length === 0 ? ['example.com'] : use.zones.slice(0, mostZones)
  const email = use.email !== undefined && plainEmail.test(use.email) ? use.email : 'you@example.net'
  const [zone = ''] = zones
  return writers[client]({ ...use, zones, zone, email, certified: certifiedName(zone, use.limits ?? null) })
}

/** The challenge of a name (RFC 8555 §8.4), if the name has no meaning in a shell. */
const challengeOf = /^_acme-challenge\.([a-z\d][a-z\d.-]*)$/

/** The name of the first certificate that a key can get: the zone, unless the limits allow only the challenge of another name. */
function certifiedName(zone: string, limits: readonly WireKeyLimit[] | null): string {
  const own = (limits ?? []).filter((limit) => limit.zone === zone && limit.types.includes('TXT'))
  const names = own.flatMap(({ names }) => names)
  if (names.includes('_acme-challenge') || names.includes('*')) return zone
  const [name] = names.flatMap((name) => challengeOf.exec(name)?.[1] ?? [])
  return name === undefined ? zone : `${name}.${zone}`
}

type Writer = (use: TsigUse & { readonly zone: string; readonly certified: string }) => string

const writers: Readonly<Record<TsigClient, Writer>> = {
  nsupdate: ({ keyName, door, zone }) => `# Save this as ${keyName}.key with mode 0600. Then run:
#   nsupdate -k ${keyName}.key
#   > server ${door.host} ${door.port}
#   > zone ${zone}
#   > update add test.${zone} 300 A 192.0.2.1
#   > send
key "${keyName}" {
  algorithm hmac-sha256;
  secret "${placeholder}";
};
`,
  certbot: ({ keyName, door, certified }) => `# Save this as rfc2136.ini with mode 0600. Then run:
#   certbot certonly --dns-rfc2136 --dns-rfc2136-credentials rfc2136.ini \\
#     --dns-rfc2136-propagation-seconds 10 -d ${certified}
dns_rfc2136_server = ${door.host}
dns_rfc2136_port = ${door.port}
dns_rfc2136_name = ${keyName}.
dns_rfc2136_secret = ${placeholder}
dns_rfc2136_algorithm = HMAC-SHA256
`,
  lego: ({ keyName, door, certified, email }) => `export RFC2136_NAMESERVER=${hostPort(door)}
export RFC2136_TSIG_KEY=${keyName}
export RFC2136_TSIG_ALGORITHM=hmac-sha256.
export RFC2136_TSIG_SECRET=${placeholder}
lego --accept-tos --email ${email} --dns rfc2136 --domains ${certified} run
`,
  'cert-manager': ({ keyName, door }) => `# First create the secret:
#   kubectl create secret generic zonewright-tsig --namespace cert-manager --from-literal=secret=${placeholder}
apiVersion: cert-manager.io/v1
kind: ClusterIssuer
metadata:
  name: letsencrypt
spec:
  acme:
    server: https://acme-v02.api.letsencrypt.org/directory
    privateKeySecretRef:
      name: letsencrypt-account
    solvers:
      - dns01:
          rfc2136:
            nameserver: ${hostPort(door)}
            tsigKeyName: ${keyName}
            tsigAlgorithm: HMACSHA256
            tsigSecretSecretRef:
              name: zonewright-tsig
              key: secret
`,
  'external-dns': ({ keyName, door, zones }) => `# Arguments of the external-dns container.
args:
  - --source=ingress
  - --source=service
  - --provider=rfc2136
  - --rfc2136-host=${door.host}
  - --rfc2136-port=${door.port}
${zones.map((zone) => `  - --rfc2136-zone=${zone}\n`).join('')}  - --rfc2136-tsig-keyname=${keyName}
  - --rfc2136-tsig-secret=${placeholder}
  - --rfc2136-tsig-secret-alg=hmac-sha256
  - --rfc2136-tsig-axfr
  - --rfc2136-min-ttl=60s
${zones.map((zone) => `  - --domain-filter=${zone}\n`).join('')}  - --txt-owner-id=my-cluster
`,
  terraform: ({ keyName, door }) => `# terraform apply -var tsig_secret=${placeholder}
terraform {
  required_providers {
    dns = { source = "hashicorp/dns" }
  }
}

variable "tsig_secret" {
  type      = string
  sensitive = true
}

provider "dns" {
  update {
    server        = "${door.host}"
    port          = ${door.port}
    transport     = "tcp"
    key_name      = "${keyName}."
    key_algorithm = "hmac-sha256"
    key_secret    = var.tsig_secret
  }
}
`,
  kea: ({ keyName, door, zones }) => {
    const servers = [{ 'ip-address': door.host, port: door.port }]
    const domains = (isReverse: boolean) =>
      zones
        .filter((zone) => /\.(in-addr|ip6)\.arpa$/.test(zone) === isReverse)
        .map((zone) => ({ name: `${zone}.`, 'key-name': keyName, 'dns-servers': servers }))
    const settings = {
      DhcpDdns: {
        'ip-address': '127.0.0.1',
        port: 53_001,
        'dns-server-timeout': 2_000,
        'tsig-keys': [{ name: keyName, algorithm: 'HMAC-SHA256', secret: placeholder }],
        'forward-ddns': { 'ddns-domains': domains(false) },
        'reverse-ddns': { 'ddns-domains': domains(true) },
      },
    }
    return `${JSON.stringify(settings, undefined, 2)}\n`
  },
  bind: ({ keyName, door, zones }) => `key "${keyName}" {
  algorithm hmac-sha256;
  secret "${placeholder}";
};

${zones
  .map(
    (zone) => `zone "${zone}" {
  type secondary;
  primaries { ${door.host} port ${door.port} key "${keyName}"; };
  allow-notify { key "${keyName}"; };
  file "${zone}.zone";
};
`,
  )
  .join('\n')}`,
  knot: ({ keyName, door, zones }) => `key:
  - id: ${keyName}
    algorithm: hmac-sha256
    secret: ${placeholder}

remote:
  - id: zonewright
    address: ${door.host}@${door.port}
    key: ${keyName}

acl:
  - id: zonewright-notify
    key: ${keyName}
    action: notify

zone:
${zones.map((zone) => `  - domain: ${zone}\n    master: zonewright\n    acl: zonewright-notify\n`).join('')}`,
  nsd: ({ keyName, door, zones }) => `key:
  name: "${keyName}"
  algorithm: hmac-sha256
  secret: "${placeholder}"

${zones
  .map(
    (zone) => `zone:
  name: "${zone}"
  request-xfr: ${door.host}@${door.port} ${keyName}
  allow-notify: 0.0.0.0/0 ${keyName}
  allow-notify: ::/0 ${keyName}
`,
  )
  .join('\n')}`,
  powerdns: ({ keyName, door, zones }) => `pdnsutil import-tsig-key ${keyName} hmac-sha256 ${placeholder}
${zones
  .map(
    (zone) => `pdnsutil create-secondary-zone ${zone} ${hostPort(door)}
pdnsutil activate-tsig-key ${zone} ${keyName} secondary
`,
  )
  .join('')}`,
}

function hostPort({ host, port }: TsigUse['door']): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}
