import assert from 'node:assert/strict'
import { test } from 'node:test'
import { idempotentRequest, onceInSteps } from '#http/idempotency.ts'
import { RecordWriter } from '#modules/records/index.ts'
import { actorNamed, type Caller } from '#platform/caller.ts'
import { Doom, Killed } from '#testing/doom.ts'
import { moveClock } from '#testing/move-clock.ts'
import { startTestApi } from '#testing/test-api.ts'
import { testZones } from '#testing/test-zones.ts'
import { applyPlan, type Outcomes } from './apply-plan.ts'
import { ChangePreparer } from './prepare-change.ts'
import { readPlanZones } from './read-zones.ts'
import type { SentZone } from './rules.ts'

const api = await startTestApi()
const { account, freshZone } = await testZones(api)
const { database } = api
const writer = new RecordWriter(
  database,
  async () => true,
  async () => undefined,
)
const caller: Caller = { kind: 'session', accountId: account, sessionId: 'session', name: 'owner@example.net' }

/** More zones than can share a transaction, so that the plan has several steps. */
const zoneCount = 70

test('whenever the process is killed, a repeat completes the plan, and each zone is changed exactly once', async () => {
  const zones = []
  for (let i = 0; i < zoneCount; i++) zones.push(await freshZone())
  for (let waits = 1, hours = 1, isKilled = true; isKilled; waits++, hours++) {
    const sent: SentZone[] = await Promise.all(
      zones.map(async ({ name, version }) => ({
        zone: name,
        changes: [{ name: 'www', type: 'TXT', records: [`"${waits}"`] }],
        if_match: await version(),
      })),
    )
    const request = await idempotentRequest(api.server.secrets, `kill ${waits}`, {
      caller: account,
      method: 'POST',
      url: '/plans/apply',
      body: sent,
      carriesSecret: false,
    })
    const preparer = new ChangePreparer(writer, new Map(), { caller, actor: actorNamed('system', 'test') }, {})
    const apply = async (of: typeof database | ReturnType<Doom['database']>) => {
      const found = await readPlanZones(database.db, caller, sent)
      return onceInSteps<Outcomes>(of, request, (steps) => applyPlan({ writer, caller, preparer }, found, steps))
    }
    isKilled = await apply(new Doom(waits).database(database)).then(
      () => false,
      (error) => {
        if (!(error instanceof Killed)) throw error
        return true
      },
    )
    await moveClock(database, `${hours} hours`)
    const { body } = await apply(database)
    const { zones: shown } = body as { zones: { status: string; version: number }[] }
    assert.deepEqual(new Set(shown.map(({ status }) => status)), new Set(['applied']), `killed at wait ${waits}`)
    for (const [i, zone] of zones.entries()) {
      assert.equal(await zone.version(), (sent[i]?.if_match ?? 0) + 1, zone.name)
      assert.equal(shown[i]?.version, (sent[i]?.if_match ?? 0) + 1)
    }
    assert.ok(waits < 40, 'the plan has an end')
  }
})
