import { Bell } from '../util/bell.ts'
import { ApiFailure, failureOf, unreadable } from './failure.ts'

/** How long requests may take, in ms. */
export interface TimeLimits {
  /** Until the response to a read begins. */
  readonly readMs: number
  /** Until the response to a change begins, in addition to the time to send its body. */
  readonly writeMs: number
  /** Until the rest of the response has arrived. */
  readonly restMs: number
}

/** No call of the API takes half of these on an idle machine. */
const usualLimits: TimeLimits = { readMs: 20_000, writeMs: 60_000, restMs: 120_000 }
/** The slowest upload that the limit of a change allows for. */
const slowestBytesPerMs = 20
/** After this long without a response, the page says so (design: product, section 6). */
export const slowAfterMs = 3_000

/**
 * Sends a request to the service, and reads the body of a successful response. Throws ApiFailure, also if there is no response within the
 * time limits. If `init.signal` ends the request, it throws what `fetch` throws.
 */
export async function askService<T>(
  url: string,
  init: RequestInit & { body?: string },
  read: (answer: Response) => Promise<T>,
  limits = usualLimits,
): Promise<T> {
  const isRead = init.method === 'GET'
  const given = init.signal
  const ended = new AbortController()
  const endAfter = (ms: number) => setTimeout(() => ended.abort(), ms)
  const finished = slowRequests.watch(isRead)
  let timer = endAfter(isRead ? limits.readMs : limits.writeMs + (init.body?.length ?? 0) / slowestBytesPerMs)
  try {
    const signal = given ? AbortSignal.any([given, ended.signal]) : ended.signal
    const answer = await fetch(url, { ...init, signal })
    clearTimeout(timer)
    timer = endAfter(limits.restMs)
    if (!answer.ok) throw await failureOf(answer)
    if (answer.headers.get('content-type')?.startsWith('text/html')) throw unreadable(answer.status)
    return await read(answer)
  } catch (error) {
    if (error instanceof ApiFailure || given?.aborted) throw error
    if (error instanceof SyntaxError) throw unreadable(200)
    throw ended.signal.aborted ? timedOut(isRead) : unreachable()
  } finally {
    clearTimeout(timer)
    finished()
  }
}

function unreachable(): ApiFailure {
  return new ApiFailure('unreachable', 'The service could not be reached. Check the connection and try again.')
}

function timedOut(isRead: boolean): ApiFailure {
  return new ApiFailure(
    'timed_out',
    isRead
      ? 'The service did not respond in time. Try again.'
      : 'The service did not respond in time. It may have done what you asked: reload the page and check before you try again.',
  )
}

/** Requests that have had no response for `slowAfterMs`. */
class SlowRequests extends Bell {
  readonly #slow = new Set<{ readonly isRead: boolean }>()

  /** Begins to watch a request. Call the returned function when it has ended. */
  watch(isRead: boolean): () => void {
    const request = { isRead }
    const timer = setTimeout(() => {
      this.#slow.add(request)
      this.tell()
    }, slowAfterMs)
    return () => {
      clearTimeout(timer)
      if (this.#slow.delete(request)) this.tell()
    }
  }

  /** Whether some of them read, or all of them change something. */
  readonly kind = (): 'read' | 'write' | undefined => {
    if (this.#slow.size === 0) return undefined
    return [...this.#slow].some(({ isRead }) => isRead) ? 'read' : 'write'
  }
}

export const slowRequests = new SlowRequests()
