import { isIP } from 'node:net'
import { createAddressResolver } from '#adapters/address-resolver/index.ts'
import { createDnsProbe, createParentDns } from '#adapters/dns/index.ts'
import { createDnsResolver } from '#adapters/dns-resolver/index.ts'
import { createResolve } from '#adapters/webhook-http/index.ts'
import { hostOf } from '#compose/certificates.ts'
import type { Platform } from '#compose/platform.ts'
import { liveZoneNamed } from '#modules/zones/index.ts'
import { type Configuration, textOf } from '#platform/settings/configuration.ts'
import { type Finding, fault, ok, warning, whyUnreachable } from './finding.ts'

/** Sends each server that the service queries about names its usual query, because a firewall may block any of them. */
export async function resolverFindings({ configuration }: Platform): Promise<Finding[]> {
  const looks = [delegationFinding, verificationFinding, aliasFinding, webhookFinding, publicFinding, rdapFinding]
  const found = await Promise.all(looks.map((look) => look(configuration)))
  return found.filter((finding) => finding !== undefined)
}

/** A name that any resolver can answer, even if only that it does not exist. */
function subjectOf({ registries }: Configuration): string {
  const tld = registries[0]?.tlds[0]?.tld
  return tld === undefined ? 'example.com' : `zonewright-doctor.${tld}`
}

async function delegationFinding(configuration: Configuration): Promise<Finding> {
  const { delegationResolver } = configuration
  const subject = subjectOf(configuration)
  const answer = await createParentDns(delegationResolver).delegationOf(subject)
  const which = `DELEGATION_RESOLVER (${textOf(delegationResolver)})`
  if (answer.kind !== 'no_answer') return ok(`${which} finds the servers above ${subject}, and they respond.`)
  return answer.failure === 'no_parent'
    ? fault(
        `${which} does not find the servers above ${subject}: it does not respond, or does not know them.`,
        'Correct it, or allow queries to it in the firewall over UDP and TCP. Until then, new zones stay `waiting`, and other zones keep their last known state.',
      )
    : fault(
        `The servers above ${subject}, which ${which} finds, do not answer for it: ${answer.failure}.`,
        'Allow queries to any DNS server in the firewall over UDP and TCP port 53. Until then, new zones stay `waiting`, and other zones keep their last known state.',
      )
}

function verificationFinding(configuration: Configuration): Promise<Finding> {
  return eachFinding({
    which: 'VERIFICATION_RESOLVER',
    servers: configuration.verificationResolver,
    isAnswered: async (servers) => (await createDnsResolver({ servers }).texts(subjectOf(configuration))) !== 'unknown',
    meanwhile: 'Until then, no one can prove control of a domain.',
  })
}

function aliasFinding(configuration: Configuration): Promise<Finding> {
  return eachFinding({
    which: 'ALIAS_RESOLVER',
    servers: configuration.aliasResolver,
    isAnswered: async (servers) => {
      const found = await createAddressResolver({ servers }).addresses(subjectOf(configuration), aliasLimits)
      return found !== 'timeout' && found !== 'server_failure'
    },
    meanwhile: 'Until then, ALIAS records keep their last addresses for 24 hours, and new ones publish none.',
  })
}

const aliasLimits = { timeoutMs: 3_000, mostSteps: 8 }

/** An installation without a name in public DNS is not reachable from outside, so the system's resolver does not matter. */
async function webhookFinding(configuration: Configuration): Promise<Finding | undefined> {
  const { webhookResolver, publicUrl } = configuration
  const host = hostOf(new URL(publicUrl))
  const isHere = isIP(host) !== 0 || host === 'localhost'
  if (webhookResolver.length === 0 && isHere) return undefined
  return eachFinding({
    which: 'WEBHOOK_RESOLVER',
    servers: webhookResolver,
    isAnswered: (servers) =>
      createResolve(servers.map(textOf))(isHere ? subjectOf(configuration) : host).then(
        () => true,
        () => false,
      ),
    meanwhile: 'Until then, no webhook is sent, because the addresses of receivers cannot be resolved.',
  })
}

type Servers = Configuration['resolvers']

/** Checks resolvers of which one must answer; if none are named, those of the system. */
async function eachFinding({
  which,
  servers,
  isAnswered,
  meanwhile,
}: {
  readonly which: string
  readonly servers: Servers
  readonly isAnswered: (servers: Servers) => Promise<boolean>
  readonly meanwhile: string
}): Promise<Finding> {
  const asked = servers.length > 0 ? servers.map((server) => [server]) : [[]]
  const answered = await Promise.all(asked.map(isAnswered))
  const silent = servers.filter((_, i) => answered[i] === false).map(textOf)
  const named = servers.length > 0 ? `${which} (${servers.map(textOf).join(', ')})` : `${which} (the system's)`
  const advice = 'Correct it, or allow queries to it in the firewall over UDP and TCP.'
  if (!answered.includes(true)) return fault(`${named} does not answer.`, `${advice} ${meanwhile}`)
  return silent.length > 0
    ? warning(`${which}: ${silent.join(', ')} does not respond, but another one does.`, advice)
    : ok(`${named} answers.`)
}

async function publicFinding(configuration: Configuration): Promise<Finding | undefined> {
  if (configuration.resolvers.length === 0) return undefined
  return eachFinding({
    which: 'RESOLVERS',
    servers: configuration.resolvers,
    isAnswered: async ([server]) => server === undefined || (await isTold(server, subjectOf(configuration))),
    meanwhile: 'Customers cannot see the propagation of their changes.',
  })
}

async function isTold(server: Servers[number], name: string): Promise<boolean> {
  const answer = await createDnsProbe().ask(server, { name: `${name}.`, type: 'SOA', recursive: true })
  return answer.kind === 'answer'
}

async function rdapFinding({ rdapBootstrap }: Configuration): Promise<Finding | undefined> {
  if (rdapBootstrap === undefined) return undefined
  const why = await fetch(rdapBootstrap, { signal: AbortSignal.timeout(5_000) }).then(async (answer) => {
    if (answer.status !== 200) return `${answer.status}`
    const body = (await answer.json().catch(() => undefined)) as { services?: unknown } | undefined
    return Array.isArray(body?.services) ? undefined : 'this is not a list of RDAP servers (RFC 9224)'
  }, whyUnreachable)
  if (why === undefined) return ok(`RDAP_BOOTSTRAP (${rdapBootstrap}) has the list of RDAP servers.`)
  return warning(
    `RDAP_BOOTSTRAP (${rdapBootstrap}) cannot be read: ${why}.`,
    'Correct it, allow queries to it in the firewall, or set it to off. Until then, registry data of domains that are not sold here is unknown.',
  )
}

/** Whether public DNS has addresses of the nameservers that zones name, and whether the parents of free subdomains are live zones. */
export async function namesFindings({ configuration, database: { db } }: Platform): Promise<Finding[]> {
  const { nameservers, resolvers, freeParents } = configuration
  const found = await Promise.all(
    nameservers.map(async ({ name }) => ({ name, has: await hasAddress(resolvers, name) })),
  )
  const unknown = found.filter(({ has }) => has === false)
  const unasked = found.filter(({ has }) => has === undefined).map(({ name }) => name)
  const parents = await Promise.all(freeParents.map((parent) => liveZoneNamed(db, parent)))
  const dead = freeParents.filter((_, i) => parents[i] === undefined)
  return [
    ...unknown.map(({ name }) =>
      fault(
        `The nameserver ${name} has no address in public DNS, so it is not used for the zones that are delegated to it.`,
        'Add its A and AAAA records in its zone and its glue at the registry, or correct NAMESERVERS.',
      ),
    ),
    ...dead.map((parent) =>
      fault(
        `FREE_PARENTS contains ${parent}, which is not a live zone, so no one can claim a name under it.`,
        `Add it with "zone add EMAIL ${parent}", or remove it from FREE_PARENTS.`,
      ),
    ),
    ...(unasked.length > 0 && resolvers.length > 0
      ? [
          warning(
            `The public DNS addresses of ${unasked.join(', ')} could not be checked.`,
            'Allow queries to RESOLVERS in the firewall over UDP and TCP.',
          ),
        ]
      : []),
    ...(found.every(({ has }) => has === true) ? [ok('Every nameserver has an address in public DNS.')] : []),
    ...(freeParents.length > 0 && dead.length === 0 ? [ok('All of FREE_PARENTS are live zones.')] : []),
  ]
}

/** The result of the first resolver that answers. Undefined if none answers, which is a separate finding. */
async function hasAddress(resolvers: Servers, name: string): Promise<boolean | undefined> {
  const probe = createDnsProbe()
  for (const server of resolvers) {
    const ask = (type: string) => probe.ask(server, { name: `${name}.`, type, recursive: true })
    const answers = await Promise.all([ask('A'), ask('AAAA')])
    if (answers.some((answer) => answer.kind === 'answer' && answer.records.length > 0)) return true
    if (answers.every((answer) => answer.kind === 'answer')) return false
  }
  return undefined
}
