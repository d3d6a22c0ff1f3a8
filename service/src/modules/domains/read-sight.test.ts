import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Registry } from '#ports/registry.ts'
import { aroundCalls } from '#testing/around-calls.ts'
import { TrialRegistry } from '#testing/trial-registry.ts'
import type { Underway } from './plan-change.ts'
import { readSight } from './read-sight.ts'

const name = 'example.test'
const { registry } = new TrialRegistry(name, {
  isLocked: false,
  isSigned: false,
  showsCode: false,
  wantsReport: false,
  hidesOthers: false,
})

/** A registry that refuses one of the queries. */
function refusing(question: string, code: number): Registry {
  const reply = { code, message: `Reply ${code}`, svTrid: 'SV-1' }
  return aroundCalls(registry, async (method, _, call) =>
    method === question ? { kind: 'refused', reply } : await call(),
  )
}
const changeOf = (kind: 'approve_transfer' | 'reject_transfer' | 'lock'): Underway =>
  ({ name, wish: { kind } }) as Underway

test('a refusal that means no transfer, or none of ours, reads as no transfer; any other refusal is passed on', async () => {
  for (const kind of ['approve_transfer', 'reject_transfer'] as const) {
    for (const code of [2301, 2201]) {
      const reading = await readSight(refusing('queryTransfer', code), changeOf(kind))
      assert.deepEqual([reading.kind, reading.kind === 'done' && reading.value.transfer], ['done', null], `${code}`)
    }
    for (const code of [2202, 2303, 2306, 2400])
      assert.equal((await readSight(refusing('queryTransfer', code), changeOf(kind))).kind, 'refused', `${code}`)
  }
  assert.equal((await readSight(refusing('queryTransfer', 2400), changeOf('lock'))).kind, 'done', 'it is not asked')
})
