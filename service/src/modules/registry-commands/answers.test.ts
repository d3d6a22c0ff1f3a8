import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Outcome } from '#ports/registry.ts'
import { refused, silence } from '#testing/registry-readings.ts'
import { isEchoCode, meaningOf } from './answers.ts'
import type { RecordedCommand } from './command.ts'

type Command = Parameters<typeof meaningOf>[0]
type State = RecordedCommand['state']

const orderCommands = ['contact', 'create', 'renew', 'transfer'] as const
const changeCommands = [
  ...(['allow_updates', 'prohibit_updates', 'lock', 'unlock', 'remove_ds', 'set_nameservers', 'set_contacts'] as const),
  ...(['set_code', 'create_host', 'change_host', 'delete_host', 'create_contact', 'delete_contact'] as const),
  ...(['approve', 'reject', 'restore', 'report_restore'] as const),
]
const refusals = [2001, 2003, 2005, 2104, 2105, 2106, 2201, 2202, 2300, 2301, 2302, 2303, 2304, 2305, 2306, 2308]

/** The meaning of a refusal with this code after attempts of this command with these states; `looked`: a lookup had to decide them. */
function meaning(command: Command, code: number, states: readonly State[] = [], looked = false): string {
  const earlier = states.map((state) => ({ command, state, missedForS: looked ? 61 : null }))
  return meaningOf(command, refused(code), earlier).kind
}

/** The codes of refusals with this meaning. */
function codesOf(kind: string, command: Command, states: readonly State[] = [], looked = false): number[] {
  return refusals.filter((code) => meaning(command, code, states, looked) === kind)
}

test('"object exists" for an order’s contact proves that the contact was created, because its id is random', () => {
  for (const states of [[], ['not_done'], ['refused']] as const)
    assert.deepEqual([codesOf('done', 'contact', states), codesOf('echo', 'contact', states)], [[2302], []])
})

test('the refusal of a registration or renewal may be an echo even at the first attempt', () => {
  for (const states of [[], ['not_done'], ['refused']] as const) {
    assert.deepEqual(codesOf('echo', 'create', states), [2302])
    assert.deepEqual(codesOf('echo', 'renew', states), [2105, 2304, 2306, 2308])
  }
})

test('a transfer’s refusal is an echo only after an attempt that a lookup had to decide', () => {
  for (const states of [[], ['not_done'], ['refused']] as const)
    assert.deepEqual(codesOf('echo', 'transfer', states), [])
  assert.deepEqual(codesOf('echo', 'transfer', ['not_done'], true), [2106, 2300, 2304])
  const ofAnother = { command: 'contact', state: 'not_done', missedForS: 61 } as const
  assert.equal(meaningOf('transfer', refused(2304), [ofAnother]).kind, 'refused', 'of another command')
})

test('a change’s refusal is an echo only of an attempt that seemed not to be carried out, and only once', () => {
  const codes = [2302, 2303, 2304, 2305, 2306]
  for (const command of changeCommands) {
    const isCreation = command === 'create_host' || command === 'create_contact'
    assert.deepEqual(codesOf('echo', command, ['not_done']), codes, command)
    assert.deepEqual(codesOf('echo', command, ['done', 'not_done']), codes, command)
    assert.deepEqual(codesOf('echo', command, ['not_done', 'refused']), [], command)
    // The first "object exists" for a creation means that an earlier attempt of ours succeeded.
    for (const states of [[], ['done'], ['unknown']] as const)
      assert.deepEqual(codesOf('echo', command, states), isCreation ? [2302] : [], command)
    assert.deepEqual(codesOf('echo', command, ['refused']), [], command)
  }
  const ofAnother = { command: 'lock', state: 'not_done', missedForS: null } as const
  assert.equal(meaningOf('set_nameservers', refused(2303), [ofAnother]).kind, 'refused', 'of another command')
})

test('an outcome other than a refusal is returned unchanged', () => {
  const reply = { code: 1000, message: '', svTrid: '' }
  const outcomes: readonly Outcome<unknown>[] = [
    { kind: 'done', value: null, reply },
    { kind: 'pending', value: null, reply: { ...reply, code: 1001 } },
    { kind: 'fault', fault: 'balance', reply: { ...reply, code: 2104 } },
    { kind: 'not_sent', why: 'no session' },
    silence,
  ]
  for (const command of [...orderCommands, ...changeCommands])
    for (const outcome of outcomes) assert.equal(meaningOf(command, outcome, []), outcome, `${command} ${outcome.kind}`)
})

test('a code can be an echo if and only if some history makes it one', () => {
  for (const command of [...orderCommands, ...changeCommands])
    for (const code of refusals) {
      const kinds = [meaning(command, code), meaning(command, code, ['not_done'], true)]
      assert.equal(isEchoCode(command, code), !kinds.every((kind) => kind === 'refused'), `${command} ${code}`)
    }
})
