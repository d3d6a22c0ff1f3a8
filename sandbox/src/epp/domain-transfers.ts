import type { Command, CommandExtensions, ObjectCommands } from '@zonewright/epp'
import { charged, refuseStatuses, yearsOf } from './domain-writes.ts'
import { transferPeriodMs } from './life.ts'
import type { Domain, Transfer } from './objects.ts'
import { agreedPrice } from './prices.ts'
import type { Registry } from './registry.ts'
import { RefusedCommand, type Reply } from './reply.ts'
import { endTransfer, transferData } from './transfer.ts'

type Operation = Extract<Command, { kind: 'domain:transfer' }>['op']

/** RFC 5731 §3.1.3 and §3.2.4. */
export function transferDomain(
  registry: Registry,
  registrar: string,
  op: Operation,
  body: ObjectCommands['domain:transfer'],
  extensions: CommandExtensions,
): Reply {
  switch (op) {
    case 'query':
      return query(registry, registrar, body)
    case 'request':
      return request(registry, registrar, body, extensions)
    case 'approve':
      return decide(registry, registrar, body.name, 'clientApproved')
    case 'reject':
      return decide(registry, registrar, body.name, 'clientRejected')
    case 'cancel':
      return decide(registry, registrar, body.name, 'clientCancelled')
  }
}

function query(registry: Registry, registrar: string, body: ObjectCommands['domain:transfer']): Reply {
  const domain = registry.existing(body.name)
  const { transfer, sponsor, authInfo } = domain
  const mayKnow = [sponsor, transfer?.requester, transfer?.actor].includes(registrar)
  if (body.authInfo !== undefined && body.authInfo !== authInfo)
    throw new RefusedCommand(2202, 'The authInfo is another')
  if (!mayKnow && body.authInfo === undefined)
    throw new RefusedCommand(2201, 'Only the registrars of the transfer may ask')
  if (transfer === undefined) throw new RefusedCommand(2301, `No transfer of ${domain.name} was requested`)
  return { code: 1000, data: { 'domain:trnData': transferData(domain) } }
}

function request(
  registry: Registry,
  registrar: string,
  body: ObjectCommands['domain:transfer'],
  extensions: CommandExtensions,
): Reply {
  const domain = registry.existing(body.name)
  if (body.authInfo === undefined) throw new RefusedCommand(2003, 'The authInfo is missing')
  if (domain.sponsor === registrar) throw new RefusedCommand(2106, `${domain.name} is yours already`)
  if (body.authInfo !== domain.authInfo) throw new RefusedCommand(2202, 'The authInfo is another')
  if (domain.transfer?.status === 'pending') throw new RefusedCommand(2300, `${domain.name} is being transferred`)
  refuseStatuses(registry, domain, ['clientTransferProhibited', 'pendingDelete', 'pendingCreate', 'pendingRenew'])
  const years = yearsOf(body.period)
  const paid = agreedPrice('transfer', domain.name, years, extensions['fee:transfer'])
  registry.charge(registrar, paid)
  const now = registry.now()
  const transfer: Transfer = {
    status: 'pending',
    requester: registrar,
    requestedAt: now,
    actor: domain.sponsor,
    actionAt: now + transferPeriodMs,
    years,
    paid,
  }
  const asked = { ...domain, transfer }
  registry.keep(asked)
  const data = { 'domain:trnData': transferData(asked) }
  registry.tell(domain.sponsor, 'Transfer requested', data)
  return { code: 1001, data, extensions: { 'fee:trnData': charged(registry, registrar, paid) } }
}

/** The sponsor approves or rejects, the requester cancels. */
function decide(
  registry: Registry,
  registrar: string,
  name: string,
  status: 'clientApproved' | 'clientRejected' | 'clientCancelled',
): Reply {
  const domain = registry.existing(name)
  const { transfer } = domain
  if (transfer?.status !== 'pending') throw new RefusedCommand(2301, `${domain.name} is not being transferred`)
  const decider = status === 'clientCancelled' ? transfer.requester : domain.sponsor
  if (registrar !== decider) throw new RefusedCommand(2201, 'Another registrar must decide')
  const ended = endTransfer(domain, status, registry.now())
  if (status !== 'clientApproved') registry.charge(transfer.requester, -transfer.paid)
  registry.keep(ended)
  const data = { 'domain:trnData': transferData(ended) }
  registry.tell(otherOf(domain, transfer, registrar), `Transfer ${words[status]}`, data)
  return { code: 1000, data }
}

const words = { clientApproved: 'approved', clientRejected: 'rejected', clientCancelled: 'cancelled' }

function otherOf(domain: Domain, transfer: Transfer, registrar: string): string {
  return registrar === domain.sponsor ? transfer.requester : domain.sponsor
}
