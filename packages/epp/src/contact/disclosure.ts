import { attribute, type Content, children, content, flag } from '../content/content.ts'
import { oneOf, truth } from '../content/scalar.ts'
import { contact } from './parts.ts'

/** The fields to show or not to show to the public (RFC 5733 §2.9). */
export interface Disclosure {
  readonly isShown: boolean
  readonly name: readonly PostalForm[]
  readonly organization: readonly PostalForm[]
  readonly address: readonly PostalForm[]
  readonly voice: boolean
  readonly fax: boolean
  readonly email: boolean
}

type PostalForm = 'int' | 'loc'

const typed = content<{ type: PostalForm }>({ type: attribute('type', oneOf('a form of an address', ['int', 'loc'])) })
const form: Content<PostalForm> = {
  read: (element) => typed.read(element).type,
  write: (type) => typed.write({ type }),
}

export const disclosure: Content<Disclosure> = content<Disclosure>({
  isShown: attribute('flag', truth),
  name: children(contact('name'), form, { max: 2 }),
  organization: children(contact('org'), form, { max: 2 }),
  address: children(contact('addr'), form, { max: 2 }),
  voice: flag(contact('voice')),
  fax: flag(contact('fax')),
  email: flag(contact('email')),
})
