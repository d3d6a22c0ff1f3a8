import { basicUserOf, type DoorCall } from '#modules/doors/index.ts'
import { zoneNameIn } from '#modules/zones/index.ts'
import { type Address, addressText, type Family, parseAddress } from './addresses.ts'

type Request = DoorCall['request']

/** A host of a request. */
interface Host {
  /** In canonical form, without its final dot. Undefined: it is not the full name of a host. */
  readonly name: string | undefined
}

/** The content of a request. */
export interface UpdateRequest {
  readonly hosts: readonly Host[]
  /** The new addresses of each family. An empty list: the host loses its addresses of this family. Families that are not in the map keep theirs. */
  readonly wanted: ReadonlyMap<Family, readonly Address[]>
  /** An address is invalid, or the request has no usable address. */
  readonly isInvalid: boolean
}

/** The parameters of the query, and those of a form in the body. */
export function parametersOf({ query, body }: Request): ReadonlyMap<string, string> {
  const form = typeof body === 'string' ? [...new URLSearchParams(body)] : []
  return new Map([...Object.entries(query), ...form])
}

/**
 * The hosts of a request: of its parameter `hostname`, or else the user name of its Basic credentials, because some routers have no field for the
 * host.
 */
export function hostsOf(request: Request): Host[] {
  const text = parametersOf(request).get('hostname')?.trim() || basicUserOf(request.header) || ''
  const names = text.split(',').map((part) => part.trim())
  // A comma at the end comes from a program that writes one after each host.
  const given = names.length > 1 && names.at(-1) === '' ? names.slice(0, -1) : names
  return given.map((name) => ({ name: fullName(name) }))
}

function fullName(text: string): string | undefined {
  const name = zoneNameIn(text)
  return hostName.test(name) ? name : undefined
}

/** Names that a host can have, or the records for all hosts below a name. Any other name in a request is a mistake. */
const hostName = /^(?:\*\.)?[\w-]+(?:\.[\w-]+)+$/

/** Parameters that can contain addresses of either family. Empty ones are ignored. */
const general = ['myip', 'ip']
/**
 * Parameters with addresses of one family. If one is empty, the host loses its addresses of this family. They take precedence over the general ones.
 */
const ofFamily = [
  ['A', ['myipv4']],
  ['AAAA', ['myipv6', 'ipv6', 'ip6addr']],
] as const

/** Keeps the addresses of a family, as if its parameter were missing, without using the address of the connection. */
const preserve = 'preserve'

/** Reads a request. `isPublic`: whether an address is one of the public Internet. */
export function readUpdate(request: Request, isPublic: (address: string) => boolean): UpdateRequest {
  const parameters = parametersOf(request)
  const wanted = new Map<Family, readonly Address[]>()
  let isInvalid = false
  let isGiven = false
  const take = (text: string, family?: Family): void => {
    isGiven = true
    if (text === preserve) return
    const texts = text === '' ? [] : text.split(',').map((part) => part.trim())
    const addresses = texts.map(parseAddress)
    const known = addresses.filter((address) => address !== undefined)
    if (known.length < addresses.length || known.some((address) => family !== undefined && address.family !== family))
      isInvalid = true
    const families = family === undefined ? new Set(known.map((address) => address.family)) : [family]
    for (const each of families)
      wanted.set(
        each,
        known.filter((address) => address.family === each),
      )
  }
  const valuesIn = (names: readonly string[]) => names.map((name) => parameters.get(name)?.trim()).filter(isThere)
  for (const text of valuesIn(general)) if (text !== '') take(text)
  for (const [family, names] of ofFamily) {
    // Of two parameters with the same meaning, use the one that has a value.
    const values = valuesIn(names)
    const text = values.find((value) => value !== '') ?? values[0]
    if (text === undefined) continue
    wanted.delete(family)
    take(text, family)
  }
  const own = isGiven ? undefined : parseAddress(request.address)
  if (own !== undefined && isPublic(addressText(own))) wanted.set(own.family, [own])
  return { hosts: hostsOf(request), wanted, isInvalid: isInvalid || (!isGiven && wanted.size === 0) }
}

function isThere(text: string | undefined): text is string {
  return text !== undefined
}
