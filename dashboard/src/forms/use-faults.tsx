import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { ApiFailure } from '../api/failure.ts'
import { Marked } from '../ui/marked.tsx'

/**
 * The errors of a request at the fields that they are about, by JSON pointer. The first field with an error gets the focus. A form also shows all
 * errors at its end, because a field may be out of view or not part of the form, unless `isAtFields` holds.
 */
export function useFaults(error: unknown): {
  form: RefObject<HTMLFormElement | null>
  /** The first error of a field, or of an entry of its list. */
  faultOf: (path: string) => ReactNode
} {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [error])
  const details = error instanceof ApiFailure ? error.details : []
  return {
    form,
    faultOf: (field) => {
      const fault = details.find(({ path = '' }) => path === field || path.startsWith(`${field}/`))
      return fault && <Marked text={fault.message} />
    },
  }
}

/** Whether each part of an error is about one of these fields, so that a form does not have to repeat it at its end. */
export function isAtFields(error: unknown, fields: readonly string[]): boolean {
  if (!(error instanceof ApiFailure) || error.details.length === 0) return false
  return error.details.every(({ path = '' }) => fields.includes(path.slice(1)))
}
