import {
  type Content,
  child,
  children,
  content,
  elementWith,
  type Inner,
  optionalChild,
  text,
} from '../content/content.ts'
import { epp, language } from '../content/eppcom.ts'
import { instant, line, token } from '../content/scalar.ts'

/** The greeting of a server, on connection and in response to a hello (RFC 5730 §2.4). */
export interface Greeting {
  readonly serverId: string
  readonly date: Date
  readonly services: Services
}

/** The supported namespaces of objects and of extensions. */
export interface Services {
  readonly versions: readonly string[]
  readonly languages: readonly string[]
  readonly objects: readonly string[]
  readonly extensions?: readonly string[]
}

export const version = token('a protocol version', { pattern: /^1\.0$/ })
export const uri = token('a namespace', { min: 1 })

export const extensionUris: Content<readonly string[]> = {
  read: (element) => uris.read(element),
  write: (value) => uris.write(value),
}
const uris = children(epp('extURI'), text(uri), { min: 1 })

const services: Content<Services> = content<Services>({
  versions: children(epp('version'), text(version), { min: 1 }),
  languages: children(epp('lang'), text(language), { min: 1 }),
  objects: children(epp('objURI'), text(uri), { min: 1 }),
  extensions: optionalChild(epp('svcExtension'), extensionUris),
})

const announced = content<Greeting>({
  serverId: child(epp('svID'), text(line('a server name', { min: 3, max: 64 }))),
  date: child(epp('svDate'), text(instant)),
  services: child(epp('svcMenu'), services),
})

/**
 * The data collection policy, which the schema requires and no one reads: all data, for provisioning, for us and the public, as long as it is needed.
 */
export const greeting: Content<Greeting> = {
  read: announced.read,
  write: (value) => {
    const { children: said = [] } = announced.write(value)
    return { children: [...said, elementWith(epp('dcp'), policy)] }
  },
}

const within = (name: string, inner: Inner = {}) => elementWith(epp(name), inner)
const policy: Inner = {
  children: [
    within('access', { children: [within('all')] }),
    within('statement', {
      children: [
        within('purpose', { children: [within('admin'), within('prov')] }),
        within('recipient', { children: [within('ours'), within('public')] }),
        within('retention', { children: [within('stated')] }),
      ],
    }),
  ],
}
