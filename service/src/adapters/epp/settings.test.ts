import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSandboxRegistry } from '#testing/sandbox-registry.ts'
import { readEppSettings } from './index.ts'

const server = await startSandboxRegistry()

test('a command’s time limit must be shorter than a worker’s lease of an order, so that no other worker resends it', () => {
  const read = (timeouts: object) =>
    readEppSettings('nira', ['test'], { ...server.epp.access['zonewright'], ...timeouts })
  const message = /^registries\.nira\.epp\.command_timeout_s: with queue_timeout_s and connect_timeout_s/
  assert.throws(() => read({ command_timeout_s: 90 }), { message })
  assert.throws(() => read({ connect_timeout_s: 40, queue_timeout_s: 40 }), { message })
  assert.equal(read({ command_timeout_s: 89 }).commandTimeoutMs, 89_000)
})
