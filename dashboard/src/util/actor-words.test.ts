import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChangeSource, WireActor } from '@zonewright/contract'
import { actorDetails, fromWhere } from './actor-words.ts'

const email = 'ada@example.net'
const key: WireActor = { kind: 'key', name: 'deploy bot', id: 'key_1', account_id: 'a1', account_email: email }
const person: WireActor = { kind: 'session', name: email, id: 'a1', account_id: 'a1', account_email: email }
const nobody = { id: null, account_id: null, account_email: null }

test('an actor’s details name the owner of a key and, if the actor does not imply it, how the change was made', () => {
  const cases: [actor: WireActor, source: ChangeSource, expected: string][] = [
    [key, 'api', 'API key of ada@example.net'],
    [key, 'import', 'API key of ada@example.net, import'],
    [key, 'rfc2136', 'API key of ada@example.net, DNS update'],
    [{ ...key, account_email: null }, 'preset', 'API key of a1, preset'],
    [key, 'dyndns2', 'API key of ada@example.net, dynamic DNS'],
    [key, 'rfc2136', 'API key of ada@example.net, DNS update'],
    [person, 'domain-connect', 'person, Domain Connect'],
    [{ ...key, account_id: null, account_email: null }, 'api', 'API key'],
    [person, 'dashboard', 'person'],
    [person, 'restore', 'person, restore'],
    [{ ...person, account_email: 'ada@example.org' }, 'dashboard', 'person, now ada@example.org'],
    [{ ...person, account_email: null }, 'dashboard', 'person'],
    [{ kind: 'system', name: 'registration', ...nobody }, 'system', 'service'],
    [{ kind: 'operator', name: 'root', ...nobody }, 'system', 'operator'],
  ]
  for (const [actor, source, expected] of cases) assert.equal(actorDetails(actor, source), expected)
})

test('a change says where it came from', () => {
  assert.equal(fromWhere(person, 'dashboard'), 'in the dashboard')
  assert.equal(fromWhere(person, 'preset'), 'with a preset')
  assert.equal(fromWhere(key, 'import'), 'with an import, API key of ada@example.net')
  assert.equal(fromWhere(key, 'rfc2136'), 'with a DNS update, API key of ada@example.net')
  assert.equal(fromWhere({ kind: 'system', name: 'registration', ...nobody }, 'system'), 'by the service')
  assert.equal(fromWhere({ kind: 'operator', name: 'root', ...nobody }, 'system'), 'by the operator')
})
