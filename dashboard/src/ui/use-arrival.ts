import { type RefObject, useEffect, useRef } from 'react'

/**
 * Moves the focus to something that a person requested when it arrives, such as a review or a result. The button that they pressed has often
 * disappeared by then. They may have moved on in the meantime; then the focus stays where it is. The element needs `tabIndex={-1}` and the class
 * `arrival`.
 *
 * `arrived`: each new value except `undefined` is an arrival.
 */
export function useArrival<E extends HTMLElement>(arrived: unknown): RefObject<E | null> {
  const ref = useRef<E>(null)
  useEffect(() => {
    const { activeElement, body } = document
    const isWaiting = activeElement === body || activeElement?.closest('form') != null
    if (arrived !== undefined && isWaiting) ref.current?.focus({ preventScroll: true })
  }, [arrived])
  return ref
}
