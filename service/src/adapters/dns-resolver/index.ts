export { createDnsResolver, type DnsResolverOptions, systemServers } from './dns-resolver.ts'
