import { fileURLToPath } from 'node:url'
import { debianPrograms, rootOf } from './debian-programs.ts'

const powerdns = ['pdns-server', 'pdns-backend-sqlite3', 'pdns-backend-bind']

/** The programs that check results and those that take part, and the Debian packages of each. */
const programs = {
  'named-checkzone': ['bind9-utils'],
  kzonecheck: ['knot-dnssecutils'],
  'nsd-checkzone': ['nsd'],
  dig: ['bind9-dnsutils'],
  nsupdate: ['bind9-dnsutils'],
  kdig: ['knot-dnsutils'],
  knsupdate: ['knot-dnsutils'],
  knotd: ['knot'],
  knotc: ['knot'],
  named: ['bind9'],
  nsd: ['nsd'],
  'nsd-control': ['nsd'],
  pdns_server: powerdns,
  pdnsutil: powerdns,
  sqlite3: ['sqlite3'],
} as const

/** Those that sign zones, and those other than unbound that validate answers. */
export const dnssecPrograms = {
  'ldns-keygen': ['ldnsutils'],
  'ldns-signzone': ['ldnsutils'],
  drill: ['ldnsutils'],
  'dnssec-keygen': ['bind9-utils'],
  'dnssec-signzone': ['bind9-utils'],
  delv: ['bind9-dnsutils'],
} as const

/** Those of customers, and those that lead to a certificate: a resolver, an authority, clients, programs that call the API, and shells. */
export const acmePrograms = {
  unbound: ['unbound'],
  pebble: ['pebble'],
  lego: ['lego'],
  certbot: ['certbot', 'python3-certbot-dns-rfc2136'],
  curl: ['curl'],
  jq: ['jq'],
  zsh: ['zsh'],
} as const

/** Those that keep the names of a network current: clients of dynamic DNS, and the program that sends the updates of a DHCP server. */
export const routerPrograms = {
  ddclient: ['ddclient', 'libio-socket-ssl-perl', 'libnet-ssleay-perl'],
  inadyn: ['inadyn'],
  'kea-dhcp-ddns': ['kea-dhcp-ddns-server'],
} as const

/** Those of customers that receive webhooks: the languages of the dashboard's code. */
export const receiverPrograms = {
  python3: ['python3'],
  'php8.2': ['php8.2-cli'],
  go: ['golang-go'],
} as const

/** Those that keep PostgreSQL running on several machines. */
export const failoverPrograms = {
  patroni: ['patroni'],
  patronictl: ['patroni'],
  etcd: ['etcd-server'],
  etcdctl: ['etcd-client'],
  haproxy: ['haproxy'],
} as const

/** Those that check, or simulate, the surroundings of an installation in production. */
export const operatorPrograms = {
  'systemd-analyze': ['systemd'],
  'docker-compose': ['docker-compose'],
  nginx: ['nginx'],
  promtool: ['prometheus'],
  pgbouncer: ['pgbouncer'],
} as const

/** The folder where packages of Debian are unpacked. */
export const debianFolder = fileURLToPath(new URL('../../node_modules/.cache/debian', import.meta.url))

/**
 * The environment in which third-party DNS programs are found. Conformance and benches run with it.
 *
 * @throws ProgramsMissing
 */
export function dnsPrograms(more: Readonly<Record<string, readonly string[]>> = {}): {
  readonly PATH: string
  readonly DEBIAN_ROOT: string
} {
  return { PATH: debianPrograms({ ...programs, ...more }, debianFolder), DEBIAN_ROOT: rootOf(debianFolder) }
}
