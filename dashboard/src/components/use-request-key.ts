import { useRef } from 'react'
import { randomKey } from '../util/random-key.ts'

/**
 * The Idempotency-Key of a POST that a person may send again. It stays the same while the request is the same and has not succeeded, so a repeat
 * after a lost response gets the first response. Browsers also repeat requests if a reused connection breaks.
 */
export function useRequestKey(): {
  /** The header for a request with this body. */
  readonly headersFor: (body: unknown) => Readonly<Record<string, string>>
  /** The request has succeeded: the next one is another request, even if its body is the same. */
  readonly done: () => void
} {
  const last = useRef({ text: '', key: '' })
  return {
    headersFor: (body) => {
      const text = JSON.stringify(body)
      if (text !== last.current.text) last.current = { text, key: randomKey() }
      return { 'idempotency-key': last.current.key }
    },
    done: () => {
      last.current = { text: '', key: '' }
    },
  }
}
