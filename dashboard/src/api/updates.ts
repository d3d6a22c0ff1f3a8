import type { WireUpdate } from '@zonewright/contract'
import { HintReader } from '../util/update-hints.ts'
import { urlOf } from './client.ts'
import { ApiFailure, failedWith, failureOf } from './failure.ts'
import { keys } from './queries.ts'
import { queryClient } from './query-client.ts'
import { everything, refresh } from './refresh.ts'

/** Without the stream, visible pages are refreshed this often. */
const pollMs = 30_000
/** The stream has a line every 20 s. Without one for this long, the connection is lost. */
const silentMs = 50_000
/** A stream begins with the hints of the last 10 s: after a longer gap, anything may have changed. */
const caughtUpMs = 8_000
/** Pauses before the stream is reopened: the first one, and the longest one. */
const firstPauseMs = 1_000
const longestPauseMs = 30_000

/** The message from the tab that reads the stream to the other tabs. Without hints, it says that the stream is alive. */
interface Heard {
  readonly hints: readonly WireUpdate[]
  readonly isOpen: boolean
}

/**
 * Keeps the lists of this tab current for an account, until `signal` is aborted. All tabs of a browser share one stream: the one that has the
 * lock reads it and informs the others. Without a stream, visible pages are refreshed every 30 s.
 */
export function followUpdates(accountId: string, signal: AbortSignal): void {
  const name = `zonewright-updates:${accountId}`
  const channel = new BroadcastChannel(name)
  let heardAtMs = Number.NEGATIVE_INFINITY
  const hear = ({ hints, isOpen }: Heard): void => {
    heardAtMs = isOpen ? Date.now() : Number.NEGATIVE_INFINITY
    refresh(hints)
  }
  channel.addEventListener('message', ({ data }: MessageEvent<Heard>) => hear(data))
  const poll = window.setInterval(() => {
    if (document.visibilityState === 'visible' && Date.now() - heardAtMs > silentMs) refresh(everything)
  }, pollMs)
  signal.addEventListener('abort', () => {
    window.clearInterval(poll)
    channel.close()
  })
  const tell = (heard: Heard): void => {
    hear(heard)
    if (!signal.aborted) channel.postMessage(heard)
  }
  navigator.locks?.request(name, { signal }, () => lead(tell, signal)).catch(() => undefined)
}

/** Reads streams, one after another. */
async function lead(tell: (heard: Heard) => void, signal: AbortSignal): Promise<void> {
  let heardAtMs = Date.now()
  for (let failures = 0; !signal.aborted; failures++) {
    const lastAtMs = heardAtMs
    const hear = (hints: readonly WireUpdate[]): void => {
      const isBack = failures > 0 && Date.now() - lastAtMs > caughtUpMs
      tell({ hints: isBack && heardAtMs === lastAtMs ? everything : hints, isOpen: true })
      heardAtMs = Date.now()
      failures = 0
    }
    const failure = await readStream(hear, signal)
    if (signal.aborted) return
    tell({ hints: [], isOpen: false })
    if (failedWith(failure, 'signed_out')) await untilSignedIn(signal)
    else await pause(pauseAfter(failure, failures), signal)
  }
}

/** Reads one stream to its end, and returns why it ended. */
async function readStream(hear: (hints: WireUpdate[]) => void, signal: AbortSignal): Promise<unknown> {
  const silent = new AbortController()
  let timer = window.setTimeout(() => silent.abort(), silentMs)
  try {
    const init = { credentials: 'same-origin', signal: AbortSignal.any([signal, silent.signal]) } as const
    const answer = await fetch(urlOf('followUpdates', {}), init)
    if (!answer.ok || answer.body === null) return await failureOf(answer)
    const lines = new HintReader()
    const parts = answer.body.pipeThrough(new TextDecoderStream()).getReader()
    for (;;) {
      const { done, value } = await parts.read()
      if (done) return undefined
      window.clearTimeout(timer)
      timer = window.setTimeout(() => silent.abort(), silentMs)
      hear(lines.read(value))
    }
  } catch (error) {
    return error
  } finally {
    window.clearTimeout(timer)
  }
}

/** Longer after each failure, and randomized: all dashboards lose their streams at the same time when the service restarts. */
function pauseAfter(failure: unknown, failures: number): number {
  const asked = failure instanceof ApiFailure ? (failure.retryAfterS ?? 0) * 1_000 : 0
  const grown = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(failures, 10))
  return Math.max(asked, grown) * (0.75 + Math.random() / 2)
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = window.setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      window.clearTimeout(timer)
      resolve()
    })
  })
}

/** The page asks the person to sign in. The stream is opened again when the account can be read again. */
async function untilSignedIn(signal: AbortSignal): Promise<void> {
  const isBack = new Promise<void>((resolve) => {
    const stop = queryClient.getQueryCache().subscribe((event) => {
      const isRead =
        event.type === 'updated' && event.action.type === 'success' && event.query.queryKey[0] === keys.account[0]
      if (isRead) done()
    })
    const done = (): void => {
      stop()
      resolve()
    }
    signal.addEventListener('abort', done)
  })
  void queryClient.refetchQueries({ queryKey: keys.account })
  await isBack
}
