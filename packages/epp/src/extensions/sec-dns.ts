import {
  attributeOr,
  type Content,
  child,
  children,
  content,
  elementWith,
  optionalChild,
  text,
} from '../content/content.ts'
import { base64, hex, truth, wholeNumber } from '../content/scalar.ts'
import { childNamed, elementsOf } from '../element.ts'
import { EppFault } from '../faults.ts'
import { Namespace } from '../namespaces.ts'

/** The elements of the DNSSEC mapping (RFC 5910). */
export const secDns = elementsOf(Namespace.secDns)

/** RFC 5910 §4.1. */
export interface DsData {
  readonly keyTag: number
  readonly algorithm: number
  readonly digestType: number
  /** In hexadecimal, upper-case. */
  readonly digest: string
  readonly key?: KeyData
}

/** RFC 5910 §4.2. */
export interface KeyData {
  readonly flags: number
  readonly protocol: number
  readonly algorithm: number
  /** In base64. */
  readonly publicKey: string
}

/** Either the DS records or the keys of a domain. A registry supports one of the two. */
export interface DelegationSigner {
  readonly maxSignatureLifeS?: number
  readonly ds: readonly DsData[]
  readonly keys: readonly KeyData[]
}

export interface DelegationSignerUpdate {
  readonly isUrgent: boolean
  readonly remove?: { readonly all: boolean; readonly ds: readonly DsData[]; readonly keys: readonly KeyData[] }
  readonly add?: DelegationSigner
  readonly change?: { readonly maxSignatureLifeS?: number }
}

const octet = (what: string) => wholeNumber(what, 0, 255)
const keyTag = wholeNumber('a key tag', 0, 65_535)

const keyData: Content<KeyData> = content<KeyData>({
  flags: child(secDns('flags'), text(wholeNumber('flags', 0, 65_535))),
  protocol: child(secDns('protocol'), text(octet('a protocol'))),
  algorithm: child(secDns('alg'), text(octet('an algorithm'))),
  publicKey: child(secDns('pubKey'), text(base64)),
})

const dsData: Content<DsData> = content<DsData>({
  keyTag: child(secDns('keyTag'), text(keyTag)),
  algorithm: child(secDns('alg'), text(octet('an algorithm'))),
  digestType: child(secDns('digestType'), text(octet('a digest type'))),
  digest: child(secDns('digest'), text(hex)),
  key: optionalChild(secDns('keyData'), keyData),
})

const lifetime = optionalChild(secDns('maxSigLife'), text(wholeNumber('a signature life', 1, 2_147_483_647)))
const dsList = children(secDns('dsData'), dsData)
const keyList = children(secDns('keyData'), keyData)

const eitherOr = content<DelegationSigner>({ maxSignatureLifeS: lifetime, ds: dsList, keys: keyList })

export const delegationSigner: Content<DelegationSigner> = {
  read: eitherOr.read,
  write: (value) => {
    if ((value.ds.length === 0) === (value.keys.length === 0))
      throw new EppFault('bad_value', 'Either DS records or keys are sent, not both and not none.')
    return eitherOr.write(value)
  },
}

type Removal = NonNullable<DelegationSignerUpdate['remove']>

const removed = content<Pick<Removal, 'ds' | 'keys'>>({ ds: dsList, keys: keyList })
const removal: Content<Removal> = {
  read: (element) => {
    const all = childNamed(element, secDns('all'))
    return { all: all !== undefined && truth.parse(all.text) === true, ...removed.read(element) }
  },
  write: ({ all, ...lists }) => {
    if ([all, lists.ds.length > 0, lists.keys.length > 0].filter(Boolean).length !== 1)
      throw new EppFault('bad_value', 'Either all is removed, or DS records, or keys.')
    return all ? { children: [elementWith(secDns('all'), { text: truth.format(true) })] } : removed.write(lists)
  },
}

export const delegationSignerUpdate: Content<DelegationSignerUpdate> = content<DelegationSignerUpdate>({
  isUrgent: attributeOr('urgent', truth, false),
  remove: optionalChild(secDns('rem'), removal),
  add: optionalChild(secDns('add'), delegationSigner),
  change: optionalChild(
    secDns('chg'),
    content<NonNullable<DelegationSignerUpdate['change']>>({ maxSignatureLifeS: lifetime }),
  ),
})
