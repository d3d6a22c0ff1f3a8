import { Worker } from 'node:worker_threads'
import { type FaultDetail, Refusal } from '../errors.ts'
import { Slots } from '../work/slots.ts'

/** A body that has already been validated. */
export class ValidatedBody {
  readonly value: unknown

  constructor(value: unknown) {
    this.value = value
  }
}

/** What the thread sends: first the body's members with empty lists, then slices of the list at each path, then null. */
export type JsonSlice =
  | { readonly members: Readonly<Record<string, unknown>> }
  | { readonly path: readonly (string | number)[]; readonly elements: readonly unknown[] }
  | { readonly refused: { code: Refusal['code']; message: string; details: readonly FaultDetail[] } }
  | null

/** What the thread is started with. */
export interface JsonThreadData {
  readonly routeId: string
  readonly body: Uint8Array
}

/** Bodies that are parsed at once. Each uses one processor. */
const maxThreads = 1
/** Memory of a thread. `maxNodes` in `json-thread.ts` keeps every body well below it. */
const heapMib = 512
/** A parse takes a second or two. */
const defaultTimeoutMs = 30_000

const threads = new Slots(maxThreads)

/**
 * Parses and validates a JSON body in a worker thread that ends afterwards. `body` is empty then.
 *
 * The value comes back in slices, each requested after the previous one was stored, so that the event loop is never blocked for long.
 *
 * @throws Refusal as validation does; `payload_too_large` when the parsed value could need more memory than the thread has; `unavailable`
 * when it takes too long or the thread fails
 */
export function parseLargeJson(
  route: { readonly id: string } | undefined,
  body: Buffer,
  timeoutMs = defaultTimeoutMs,
): Promise<ValidatedBody> {
  return threads.run(async () => {
    const ownsMemory = body.buffer instanceof ArrayBuffer && body.byteLength === body.buffer.byteLength
    const bytes = ownsMemory ? body : new Uint8Array(body)
    const workerData: JsonThreadData = { routeId: route?.id ?? '', body: bytes }
    const thread = new Worker(new URL('./json-thread.ts', import.meta.url), {
      workerData,
      transferList: [bytes.buffer as ArrayBuffer],
      resourceLimits: { maxOldGenerationSizeMb: heapMib },
    })
    const timer = setTimeout(() => void thread.terminate(), timeoutMs)
    try {
      return new ValidatedBody(await takeSlices(thread))
    } finally {
      clearTimeout(timer)
      await thread.terminate()
    }
  })
}

async function takeSlices(thread: Worker): Promise<unknown> {
  const value: Record<string, unknown> = {}
  for (;;) {
    const slice = await nextSlice(thread)
    if (slice === null) return value
    if ('refused' in slice) {
      const { code, message, details } = slice.refused
      throw new Refusal(code, message, { details })
    }
    if ('members' in slice) Object.assign(value, slice.members)
    else {
      const list = at(value, slice.path)
      for (const element of slice.elements) list.push(element)
    }
  }
}

/** The list at a path of members and positions. */
function at(value: unknown, path: readonly (string | number)[]): unknown[] {
  let found = value
  for (const step of path) found = (found as Record<string | number, unknown>)[step]
  return found as unknown[]
}

function nextSlice(thread: Worker): Promise<JsonSlice> {
  return new Promise((resolve, reject) => {
    const stop = () => thread.off('message', onMessage).off('error', onError).off('exit', onExit)
    const onMessage = (slice: JsonSlice): void => {
      stop()
      resolve(slice)
    }
    const onError = (error: NodeJS.ErrnoException): void => {
      stop()
      reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooMuchMemory(error) : failed(error))
    }
    const onExit = (): void => {
      stop()
      reject(failed())
    }
    thread.on('message', onMessage).on('error', onError).on('exit', onExit)
    thread.postMessage('next')
  })
}

/** The refusal of a body whose value would need too much memory. */
export function tooMuchMemory(cause?: Error): Refusal {
  return new Refusal(
    'payload_too_large',
    'The JSON body needs too much memory. Import fewer record sets at a time, or import a zone file.',
    { cause },
  )
}

function failed(cause?: Error): Refusal {
  return new Refusal(
    'unavailable',
    'The body could not be read in time. Nothing was changed. Try again in a few seconds.',
    { headers: { 'retry-after': '5' }, cause },
  )
}
