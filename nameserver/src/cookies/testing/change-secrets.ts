import { workerData } from 'node:worker_threads'
import { SharedSecrets, secretBytes } from '../shared-secrets.ts'

/** A separate thread that changes the secrets until it is stopped. Each secret is one byte repeated. */
const shared: SharedArrayBuffer = workerData.shared
const gate: Int32Array = workerData.gate
const secrets = new SharedSecrets(shared)
for (let round = 0; Atomics.load(gate, 0) === 0; round++) {
  const secret = new Uint8Array(secretBytes).fill(round)
  secrets.set(secret, secret)
}
