import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Registry } from '#ports/registry.ts'
import type { ChangeCommand, OrderCommand } from './command.ts'
import { sendCommand } from './send-command.ts'

/** A registry that records which of its methods is called, and with which arguments. */
function noting(calls: unknown[]): Registry {
  const part = (group: string) =>
    new Proxy(
      {},
      {
        get:
          (_, method) =>
          (...args: unknown[]) =>
            calls.push([`${group}.${String(method)}`, ...args]),
      },
    )
  return { domains: part('domains'), hosts: part('hosts'), contacts: part('contacts') } as unknown as Registry
}

const contact = { id: 'C1' } as Extract<OrderCommand, { command: 'contact' }>['contact']
const change = { statuses: { add: [], remove: ['clientUpdateProhibited'] } } as const
const subject = 'shop.test'
const host = { name: 'ns1.shop.test', addresses: ['192.0.2.1'] }
const registration = { name: subject } as Extract<OrderCommand, { command: 'create' }>['registration']
const renewal = { name: subject, years: 1, expiresAt: new Date(0) }
const request = { name: subject, authInfo: 'code' }
const report = { reason: 'mistake' } as Extract<ChangeCommand, { command: 'report_restore' }>['report']

test('each command calls exactly one method of the registry, with its clTRID last', () => {
  const updates = [
    ...(['allow_updates', 'prohibit_updates', 'lock', 'unlock', 'remove_ds', 'set_nameservers'] as const),
    ...(['set_contacts', 'set_code'] as const),
  ]
  const cases: readonly (readonly [OrderCommand | ChangeCommand, ...unknown[]])[] = [
    [{ command: 'contact', contact, authInfo: 'code' }, 'contacts.create', contact, 'code'],
    [{ command: 'create', registration }, 'domains.create', registration],
    [{ command: 'renew', renewal }, 'domains.renew', renewal],
    [{ command: 'transfer', request }, 'domains.requestTransfer', request],
    ...updates.map((command): [ChangeCommand, ...unknown[]] => [
      { command, subject, change },
      'domains.update',
      subject,
      change,
    ]),
    [{ command: 'create_host', subject: host.name, host }, 'hosts.create', host],
    [
      { command: 'change_host', subject: host.name, change: { addresses: { add: [], remove: [] } } },
      'hosts.update',
      host.name,
      { addresses: { add: [], remove: [] } },
    ],
    [{ command: 'delete_host', subject: host.name }, 'hosts.delete', host.name],
    [{ command: 'create_contact', subject: 'C1', contact, authInfo: 'code' }, 'contacts.create', contact, 'code'],
    [{ command: 'delete_contact', subject: 'C1' }, 'contacts.delete', 'C1'],
    [{ command: 'approve', subject }, 'domains.approveTransfer', subject],
    [{ command: 'reject', subject }, 'domains.rejectTransfer', subject],
    [{ command: 'restore', subject }, 'domains.restore', subject],
    [{ command: 'report_restore', subject, report }, 'domains.reportRestore', subject, report],
  ]
  for (const [command, ...expected] of cases) {
    const calls: unknown[] = []
    sendCommand(noting(calls), command, 'ZW-1')
    assert.deepEqual(calls, [[...expected, 'ZW-1']], command.command)
  }
})
