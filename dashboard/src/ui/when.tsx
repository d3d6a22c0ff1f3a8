import { useSyncExternalStore } from 'react'
import { exactly, inWords, zoneChanged } from '../util/time.ts'

/** A time in words. The exact time appears on hover, and is read by screen readers that announce titles. */
export function When({ at }: { at: string }) {
  useSyncExternalStore(everyHalfMinute, halfMinute)
  useSyncExternalStore(zoneChanged.listen, zoneChanges)
  return (
    <time dateTime={at} title={exactly(at)}>
      {inWords(at)}
    </time>
  )
}

let changes = 0
zoneChanged.listen(() => {
  changes++
})

function zoneChanges(): number {
  return changes
}

const lengthMs = 30_000
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** One timer for all times of a page, which keeps "2 minutes ago" true. */
function everyHalfMinute(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    for (const each of listeners) each()
  }, lengthMs)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

function halfMinute(): number {
  return Math.floor(Date.now() / lengthMs)
}
