import { useEffect, useState } from 'react'

/** Whether something has been true for this long without a break. */
export function useLong(isTrue: boolean, ms: number): boolean {
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    if (!isTrue) return
    const timer = setTimeout(() => setLong(true), ms)
    return () => {
      clearTimeout(timer)
      setLong(false)
    }
  }, [isTrue, ms])
  return isTrue && isLong
}
