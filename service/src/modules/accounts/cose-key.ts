/** The algorithms of passkeys, in the order of preference: ES256, EdDSA, RS256 (IANA, "COSE Algorithms"). */
export const passkeyAlgorithms = [-7, -8, -257] as const

/**
 * Reads a COSE key (RFC 9052, section 7): a CBOR map from integers to integers and byte strings. Ignores what follows the map, such as extensions.
 * Returns undefined if the kind of key is not supported.
 */
export function readCoseKey(
  cbor: Buffer,
): { readonly algorithm: number; readonly jwk: Readonly<Record<string, string>> } | undefined {
  const map = readMap(cbor)
  const algorithm = map?.get(3)
  const bytes = (label: number): string => {
    const value = map?.get(label)
    return Buffer.isBuffer(value) ? value.toString('base64url') : ''
  }
  const [kind, curve] = [map?.get(1), map?.get(-1)]
  if (kind === 2 && algorithm === -7 && curve === 1)
    return { algorithm, jwk: { kty: 'EC', crv: 'P-256', x: bytes(-2), y: bytes(-3) } }
  if (kind === 1 && algorithm === -8 && curve === 6)
    return { algorithm, jwk: { kty: 'OKP', crv: 'Ed25519', x: bytes(-2) } }
  if (kind === 3 && algorithm === -257) return { algorithm, jwk: { kty: 'RSA', n: bytes(-1), e: bytes(-2) } }
  return undefined
}

const mostEntries = 10
const types = { integer: 0, negative: 1, bytes: 2, map: 5 }

function readMap(cbor: Buffer): ReadonlyMap<number, number | Buffer> | undefined {
  let at = 0
  /** The type and the number of the next item (RFC 8949, section 3); undefined: the data ends too early, or the number is too large. */
  const head = (): { type: number; value: number } | undefined => {
    const first = cbor[at++]
    if (first === undefined) return undefined
    const [type, short] = [first >> 5, first & 0x1f]
    if (short < 24) return { type, value: short }
    const size = { 24: 1, 25: 2, 26: 4 }[short]
    if (size === undefined || at + size > cbor.length) return undefined
    const value = cbor.readUIntBE(at, size)
    at += size
    return { type, value }
  }
  const item = (): number | Buffer | undefined => {
    const next = head()
    if (next?.type === types.integer) return next.value
    if (next?.type === types.negative) return -1 - next.value
    if (next?.type !== types.bytes || at + next.value > cbor.length) return undefined
    at += next.value
    return cbor.subarray(at - next.value, at)
  }
  const start = head()
  if (start?.type !== types.map || start.value > mostEntries) return undefined
  const map = new Map<number, number | Buffer>()
  for (let entry = 0; entry < start.value; entry++) {
    const [label, value] = [item(), item()]
    if (typeof label !== 'number' || value === undefined || map.has(label)) return undefined
    map.set(label, value)
  }
  return map
}
