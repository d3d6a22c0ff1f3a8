/**
 * The registry (EPP, DNS, RDAP) and a caching resolver below it, as a program: `registry.ts --data-dir <folder> [--epp host:port]
 * [--dns host:port] [--resolver host:port] [--http host:port] [--nameserver name=host:port …]`.
 */
import { parseArgs } from 'node:util'
import { startResolver } from '../src/dns/resolver.ts'
import { startRegistryDns } from '../src/dns/start-registry-dns.ts'
import { runProgram } from '../src/program.ts'

const { values } = parseArgs({
  options: {
    'data-dir': { type: 'string', default: './data/registry' },
    epp: { type: 'string', default: '127.0.0.1:7000' },
    dns: { type: 'string', default: '127.0.0.1:5310' },
    resolver: { type: 'string', default: '127.0.0.1:5311' },
    http: { type: 'string', default: '127.0.0.1:8083' },
    nameserver: { type: 'string', multiple: true, default: [] },
  },
})
const tlds = ['test', 'com.test']

await runProgram('registry', async (log) => {
  const nameservers = Object.fromEntries(values.nameserver.map((item) => item.split('=') as [string, string]))
  const registry = await startRegistryDns({
    dataDir: values['data-dir'],
    dnsListen: values.dns,
    httpListen: values.http,
    eppListen: values.epp,
    log,
    tlds,
    servers: [{ name: 'ns.nic.test', address: hostOf(values.dns) }],
    hosts: Object.entries(nameservers).map(([name, at]) => ({ name, address: hostOf(at) })),
    onHost: (name, address) => {
      nameservers[name] = address
    },
  })
  const resolver = await startResolver({
    listen: values.resolver,
    tops: Object.fromEntries(tlds.map((tld) => [tld, registry.dnsAddress])),
    nameservers,
    anchors: registry.zones.trustAnchors(),
  })
  return {
    at: `epp://${registry.epp?.address} dns://${registry.dnsAddress} dns://${resolver.address} http://${registry.httpAddress}`,
    close: async () => {
      await Promise.all([registry.close(), resolver.close()])
    },
  }
})

function hostOf(address: string): string {
  return address.slice(0, address.lastIndexOf(':'))
}
