import type { Command, CommandExtensions, ObjectCommands } from '@zonewright/epp'
import type { DomainChange, Money, Outcome, RegistryDomains, Transfer, TransferRequest } from '#ports/registry.ts'
import { ask, needed, nothing, transform } from './ask.ts'
import { checkDomains } from './domain-check.ts'
import { domainInfoOf, transferOf } from './domain-info.ts'
import { KnownHosts } from './known-hosts.ts'
import { agreed, chargedOf } from './money.ts'
import type { SessionPool } from './session-pool.ts'
import { type CommandTimes, type EppSettings, latestSendMs } from './settings.ts'

type Nameservers = NonNullable<ObjectCommands['domain:create']['nameservers']>

/** The registry's domains over EPP (RFC 5731, 3915, 5910, 8748). */
export function domainsBy(
  pool: SessionPool,
  settings: Pick<EppSettings, 'tlds' | 'nameservers' | 'namesInCheck'> & CommandTimes,
): RegistryDomains {
  const hosts = new KnownHosts(pool, settings.tlds)

  /** Sends a command that names nameservers, once these exist as hosts. It sends the command in time, or not at all. */
  const withHosts = async <T>(names: readonly string[], send: () => Promise<Outcome<T>>): Promise<Outcome<T>> => {
    if (names.length === 0 || settings.nameservers === 'attributes') return await send()
    // The time limit starts here: slow commands about hosts do not extend it.
    const untilMs = performance.now() + latestSendMs(settings)
    const wasRemembered = hosts.remembers(names)
    const hindrance = await hosts.ensure(names, untilMs)
    if (hindrance !== null) return hindrance
    const outcome = await send()
    const isStranger = outcome.kind === 'refused' && outcome.reply.code === 2303
    if (!isStranger || !wasRemembered) return outcome
    // Refused, so nothing has happened. A host that existed at the last check may no longer exist.
    hosts.forget(names)
    return (await hosts.ensure(names, untilMs)) ?? (await send())
  }

  const listOf = (names: readonly string[]): Nameservers =>
    settings.nameservers === 'objects'
      ? { form: 'objects', hosts: names }
      : { form: 'attributes', hosts: names.map((name) => ({ name, addresses: [] })) }

  const transfer = (
    op: Extract<Command, { kind: 'domain:transfer' }>['op'],
    body: ObjectCommands['domain:transfer'],
    clTrid: string,
    extensions: CommandExtensions = {},
  ): Promise<Outcome<Transfer>> =>
    transform(
      pool,
      () => ({ kind: 'domain:transfer', op, body, extensions, clTrid }),
      ({ data }) => transferOf(data),
    )

  return {
    check: (names, years = 1) => checkDomains(pool, names, years, settings.namesInCheck),
    info: (name, authInfo) =>
      ask(
        pool,
        (_, clTrid) => ({
          kind: 'domain:info',
          body: { name: { name, hosts: 'all' }, ...(authInfo !== undefined && { authInfo }) },
          extensions: {},
          clTrid,
        }),
        domainInfoOf,
      ),
    create: ({ name, years, nameservers, fee, ...registration }, clTrid) =>
      withHosts(nameservers, () =>
        transform(
          pool,
          () => ({
            kind: 'domain:create',
            body: {
              name,
              period: yearsOf(years),
              ...(nameservers.length > 0 && { nameservers: listOf(nameservers) }),
              ...registration,
            },
            extensions: feeIn('fee:create', fee),
            clTrid,
          }),
          ({ data, extensions }) => {
            const { crDate, exDate } = needed(data['domain:creData'], 'domain:creData')
            return { name, createdAt: crDate, expiresAt: exDate ?? null, charged: chargedOf(extensions['fee:creData']) }
          },
        ),
      ),
    renew: ({ name, expiresAt, years, fee }, clTrid) =>
      transform(
        pool,
        () => ({
          kind: 'domain:renew',
          body: { name, currentExpiry: expiresAt, period: yearsOf(years) },
          extensions: feeIn('fee:renew', fee),
          clTrid,
        }),
        ({ data, extensions }) => {
          const { exDate } = needed(data['domain:renData'], 'domain:renData')
          return { name, expiresAt: exDate ?? null, charged: chargedOf(extensions['fee:renData']) }
        },
      ),
    queryTransfer: (name) =>
      ask(
        pool,
        (_, clTrid) => ({
          kind: 'domain:transfer',
          op: 'query',
          body: { name },
          extensions: {},
          clTrid,
        }),
        ({ data }) => transferOf(data),
      ),
    requestTransfer: (request, clTrid) =>
      transfer('request', transferBody(request), clTrid, feeIn('fee:transfer', request.fee)),
    approveTransfer: (name, clTrid) => transfer('approve', { name }, clTrid),
    rejectTransfer: (name, clTrid) => transfer('reject', { name }, clTrid),
    cancelTransfer: (name, clTrid) => transfer('cancel', { name }, clTrid),
    update: (name, change, clTrid) =>
      withHosts(change.nameservers?.add ?? [], () =>
        transform(
          pool,
          () => ({
            kind: 'domain:update',
            body: updateOf(name, change, listOf),
            extensions: signerIn(change),
            clTrid,
          }),
          nothing,
        ),
      ),
    delete: (name, clTrid) =>
      transform(pool, () => ({ kind: 'domain:delete', body: { name }, extensions: {}, clTrid }), nothing),
    restore: (name, clTrid) =>
      transform(
        pool,
        () => ({
          kind: 'domain:update',
          // Empty except for the name, as RFC 3915 §4.2.5 requires.
          body: { name, change: {} },
          extensions: { 'rgp:update': { op: 'request' } },
          clTrid,
        }),
        nothing,
      ),
    reportRestore: (name, report, clTrid) =>
      transform(
        pool,
        () => ({
          kind: 'domain:update',
          body: { name, change: {} },
          extensions: { 'rgp:update': { op: 'report', report } },
          clTrid,
        }),
        nothing,
      ),
  }
}

function yearsOf(length: number): { unit: 'y'; length: number } {
  return { unit: 'y', length }
}

function feeIn(extension: 'fee:create' | 'fee:renew' | 'fee:transfer', fee: Money | undefined): CommandExtensions {
  return fee === undefined ? {} : { [extension]: agreed(fee) }
}

function transferBody({ name, authInfo, years }: TransferRequest): ObjectCommands['domain:transfer'] {
  return { name, authInfo, ...(years !== undefined && { period: yearsOf(years) }) }
}

type Update = ObjectCommands['domain:update']

function updateOf(
  name: string,
  { nameservers, statuses, contacts, registrant, authInfo }: DomainChange,
  listOf: (names: readonly string[]) => Nameservers,
): Update {
  const side = (which: 'add' | 'remove'): Partial<Update> => {
    const hosts = nameservers?.[which] ?? []
    const lists = { contacts: contacts?.[which] ?? [], statuses: statuses?.[which] ?? [] }
    if (hosts.length + lists.contacts.length + lists.statuses.length === 0) return {}
    return { [which]: { ...(hosts.length > 0 && { nameservers: listOf(hosts) }), ...lists } }
  }
  const members = {
    ...(registrant !== undefined && { registrant }),
    ...(authInfo !== undefined && { authInfo }),
  }
  const change = {
    name,
    ...side('add'),
    ...side('remove'),
    ...(Object.keys(members).length > 0 && { change: members }),
  }
  // A command with only an extension must not be empty: RFC 5910 §5.2.5 shows an empty one, but not all registries accept that.
  return Object.keys(change).length === 1 ? { ...change, change: {} } : change
}

function signerIn({ dsRecords }: DomainChange): CommandExtensions {
  if (dsRecords === 'none') return { 'secDNS:update': { isUrgent: false, remove: { all: true, ds: [], keys: [] } } }
  const { add = [], remove = [] } = dsRecords ?? {}
  if (add.length + remove.length === 0) return {}
  return {
    'secDNS:update': {
      isUrgent: false,
      ...(remove.length > 0 && { remove: { all: false, ds: remove, keys: [] } }),
      ...(add.length > 0 && { add: { ds: add, keys: [] } }),
    },
  }
}
