import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DomainInfo, Reading, Transfer } from '#ports/registry.ts'
import { refused, shown, silence, transferred } from '#testing/registry-readings.ts'
import { reasons } from './reconcile.ts'
import { judgeTransferUnderWay } from './transfer-standing.ts'

test('a started transfer is lost only when the registry says so, and has arrived when the domain is ours', () => {
  const standing = (transfer: Reading<Transfer>, info: Reading<DomainInfo>, doubtedForS: number | null = null) =>
    judgeTransferUnderWay({ transfer, info, registrarId: 'us', doubtedForS })
  const [later, soon] = [
    { state: 'pending', afterS: 3_600 },
    { state: 'pending', afterS: 60 },
  ]
  const arrived = { state: 'done', expiresAt: null }
  const lost = { state: 'refused', message: reasons.transferRejected }
  const doubted = { ...soon, missed: true }
  for (const [what, transfer, info, expected] of [
    ['under way', transferred('pending'), shown('them'), later],
    ['approved by the registry, and here', transferred('serverApproved'), shown('us'), arrived],
    ['approved between the two looks', transferred('pending'), shown('us'), arrived],
    ['here, in another letter case', transferred('serverApproved'), shown('US'), arrived],
    ['approved, in another letter case', transferred('serverApproved', { requestedBy: 'Us' }), shown('them'), soon],
    ['approved, and shown as it was', transferred('clientApproved'), shown('them'), soon],
    ['approved by the registry, and shown as it was', transferred('serverApproved'), shown('them'), soon],
    ['approved, and the domain is not told', transferred('clientApproved'), silence, soon],
    ['rejected', transferred('clientRejected'), shown('them'), lost],
    ['cancelled', transferred('serverCancelled'), shown('them'), lost],
    ['rejected, and the domain is not told', transferred('clientRejected'), silence, later],
    ['rejected, and the domain is not ours to ask about', transferred('clientRejected'), refused(2201), lost],
    ['neither is ours to ask about', refused(2201), refused(2201), doubted],
    ['under way, and the domain is not ours to ask about', transferred('pending'), refused(2201), later],
    ['the domain is gone', refused(2303), refused(2303), doubted],
    ['under way, of a domain that is said to be gone', transferred('pending'), refused(2303), later],
    ['nothing is told', silence, silence, later],
    ['nothing is told of the transfer', silence, shown('them'), later],
    ['transfers that are over are not told', refused(2301), shown('them'), doubted],
    ['the latest transfer is another’s', transferred('clientApproved', { requestedBy: 'it' }), shown('it'), doubted],
    ['another’s is under way', transferred('pending', { requestedBy: 'it' }), shown('them'), later],
  ] as const)
    assert.deepEqual(standing(transfer, info), expected, what)
  assert.deepEqual(standing(refused(2301), shown('them'), 60), lost, 'two looks show it alike')
  assert.deepEqual(standing(refused(2301), shown('them'), 59), { ...doubted, afterS: 1 }, 'within a minute')
  assert.deepEqual(
    standing(refused(2303), refused(2303), 60),
    { state: 'refused', message: reasons.vanished },
    'two looks find nothing',
  )
  assert.deepEqual(standing(refused(2301), shown('us'), 60), arrived)
  assert.deepEqual(standing(transferred('clientApproved'), shown('them'), 60), soon, 'however often')
})
