import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { reasonOf, StartupFault } from '../startup-fault.ts'
import type { StoreChange, StoredForm } from './store.ts'
import type { StoreReply, StoreRequest, StoreThreadData } from './store-thread.ts'

/** The store as the answering thread uses it: it sends batches, and never waits for the disk. */
export interface StoreWriter {
  /** The content of the disk when the store was opened, if requested. */
  readonly forms?: readonly StoredForm[] | undefined
  /** Saves all or nothing. Rejects with the reason if the store cannot save the batch. Pass one batch at a time. */
  save(changes: readonly StoreChange[]): Promise<void>
  /** Ends the thread after the current batch. */
  close(): Promise<void>
}

/** @throws StartupFault when the store cannot be opened. */
export async function openStoreWriter(file: string, reportsForms = false): Promise<StoreWriter> {
  const workerData: StoreThreadData = { file, reportsForms }
  const worker = new Worker(new URL('./store-thread.ts', import.meta.url), { workerData })
  const exited = once(worker, 'exit')
  let hasEnded = false
  let answered: ((reply: StoreReply) => void) | undefined
  worker.on('message', (reply: StoreReply) => answered?.(reply))
  worker.on('error', (error) => answered?.({ fault: reasonOf(error) }))
  worker.on('exit', () => {
    hasEnded = true
    answered?.({ fault: 'the store thread has ended' })
  })
  const reply = () => new Promise<StoreReply>((resolve) => (answered = resolve))
  const ask = (request: StoreRequest) => worker.postMessage(request)

  const opened = await reply()
  if (opened.fault !== undefined) {
    await worker.terminate()
    throw new StartupFault(`--store ${file}: ${opened.fault}`)
  }
  return {
    forms: opened.forms,
    save: async (changes) => {
      if (hasEnded) throw new Error('the store thread has ended')
      const saved = reply()
      ask({ kind: 'batch', changes })
      const { fault } = await saved
      if (fault !== undefined) throw new Error(fault)
    },
    close: async () => {
      ask({ kind: 'close' })
      await exited
    },
  }
}
