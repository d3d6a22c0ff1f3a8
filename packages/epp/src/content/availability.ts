import type { ElementName } from '../element.ts'
import { attribute, type Content, child, children, content, optionalChild, ownText, text } from './content.ts'
import { type Availability, reasonText } from './eppcom.ts'
import { type Scalar, truth } from './scalar.ts'

// Checks have one form for all objects.

/** `<check>`: several names or ids. */
export interface Check {
  readonly ids: readonly string[]
}

export function check(id: ElementName, scalar: Scalar<string>): Content<Check> {
  return content<Check>({ ids: children(id, text(scalar), { min: 1 }) })
}

/** `<chkData>`: whether each object is available. */
export interface CheckData {
  readonly items: readonly Availability[]
}

export function checkData(
  element: (name: string) => ElementName,
  id: string,
  scalar: Scalar<string>,
): Content<CheckData> {
  const checkedId = content<{ id: string; isAvailable: boolean }>({
    id: ownText(scalar),
    isAvailable: attribute('avail', truth),
  })
  const flat = content<{ checked: { id: string; isAvailable: boolean }; reason?: string }>({
    checked: child(element(id), checkedId),
    reason: optionalChild(element('reason'), text(reasonText)),
  })
  const item: Content<Availability> = {
    read: (found) => {
      const { checked, reason } = flat.read(found)
      return reason === undefined ? checked : { ...checked, reason }
    },
    write: ({ reason, ...checked }) => flat.write(reason === undefined ? { checked } : { checked, reason }),
  }
  return content<CheckData>({ items: children(element('cd'), item, { min: 1 }) })
}
