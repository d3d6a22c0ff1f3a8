import { type Content, child, children, content, optionalChild, text } from '../content/content.ts'
import { clientId, epp, language } from '../content/eppcom.ts'
import { token } from '../content/scalar.ts'
import { extensionUris, uri, version } from './greeting.ts'

/** Opens a session (RFC 5730 §2.9.1.1). */
export interface Login {
  readonly registrarId: string
  /** 6 to 16 characters. */
  readonly password: string
  /** Replaces the password from now on. */
  readonly newPassword?: string
  readonly options: { readonly version: string; readonly language: string }
  /** The namespaces of objects and extensions that the session will use, chosen from those in the greeting. */
  readonly services: { readonly objects: readonly string[]; readonly extensions?: readonly string[] }
}

const password = token('a password', { min: 6, max: 16 })

export const login: Content<Login> = content<Login>({
  registrarId: child(epp('clID'), text(clientId)),
  password: child(epp('pw'), text(password)),
  newPassword: optionalChild(epp('newPW'), text(password)),
  options: child(
    epp('options'),
    content<Login['options']>({
      version: child(epp('version'), text(version)),
      language: child(epp('lang'), text(language)),
    }),
  ),
  services: child(
    epp('svcs'),
    content<Login['services']>({
      objects: children(epp('objURI'), text(uri), { min: 1 }),
      extensions: optionalChild(epp('svcExtension'), extensionUris),
    }),
  ),
})
