/** The thread that owns the store while the server runs, so that no answer ever waits for the disk. */
import { parentPort, workerData } from 'node:worker_threads'
import { Burst } from '../burst.ts'
import { giveMemoryBack } from '../give-memory-back.ts'
import { reasonOf } from '../startup-fault.ts'
import { Store, type StoreChange, type StoredForm } from './store.ts'

/** To the thread: a batch to save, or `close`. Each is answered in order. */
export type StoreRequest =
  | { readonly kind: 'batch'; readonly changes: readonly StoreChange[] }
  | { readonly kind: 'close' }
/** From the thread: one at startup, then one per batch. `fault` is the reason why the batch was not saved. */
export interface StoreReply {
  readonly fault: string | undefined
  /** Sent at startup, if requested. */
  readonly forms?: readonly StoredForm[] | undefined
}
export interface StoreThreadData {
  readonly file: string
  readonly reportsForms: boolean
}

const port = parentPort
if (!port) throw new Error('store-thread.ts runs as a worker only')
const reply = (attempt: () => readonly StoredForm[] | undefined) => {
  try {
    port.postMessage({ fault: undefined, forms: attempt() } satisfies StoreReply)
  } catch (error) {
    port.postMessage({ fault: reasonOf(error) } satisfies StoreReply)
  }
}

const manyBatches = 20
const burst = new Burst(manyBatches, giveMemoryBack)
let store: Store | undefined
reply(() => {
  const { file, reportsForms } = workerData as StoreThreadData
  store = new Store(file)
  return reportsForms ? store.forms() : undefined
})
port.on('message', (request: StoreRequest) => {
  if (request.kind === 'batch') {
    reply(() => void store?.apply(request.changes))
    burst.count()
    return
  }
  burst.stop()
  store?.close()
  port.close()
})
