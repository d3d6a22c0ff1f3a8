export { createDnsResolver, type DnsResolverOptions } from './dns-resolver.ts'
