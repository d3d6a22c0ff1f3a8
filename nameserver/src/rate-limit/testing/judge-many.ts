import { parentPort, workerData } from 'node:worker_threads'
import { addressView } from '../../address.ts'
import { AnswerKind, RateLimiter, RateVerdict } from '../rate-limiter.ts'

/** A separate thread that judges many answers to one client at the same moment, and reports how many may be sent. */
const { shared, asks, nowMs, gate } = workerData
const limiter = new RateLimiter(shared)
const client = addressView('192.0.2.1')
limiter.tick(nowMs)
parentPort?.postMessage('ready')
Atomics.wait(gate, 0, 0)
let sent = 0
for (let count = 0; count < asks; count++) {
  if (limiter.judge(AnswerKind.positive, 1, client, 0, 4) === RateVerdict.send) sent++
}
parentPort?.postMessage(sent)
