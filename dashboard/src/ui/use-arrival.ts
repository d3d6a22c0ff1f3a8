import { type RefObject, useEffect, useRef } from 'react'

/**
 * Moves the focus to what a person has asked for when it arrives, such as a review or a result: the button that they pressed has often gone by then.
 * They may have moved on in the meantime; then the focus stays where it is. The element needs `tabIndex={-1}` and the class `arrival`.
 *
 * `arrived`: each new value but `undefined` is an arrival.
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
