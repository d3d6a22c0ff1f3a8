import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

/** A service provider with a key, which signs its links. */
export class TestProvider {
  readonly #path: string
  readonly #bits: number
  #made: { readonly publicKey: KeyObject; readonly privateKey: KeyObject } | undefined

  constructor(provider: string, service: string, bits = 2_048) {
    this.#path = `/v2/domainTemplates/providers/${provider}/services/${service}/apply`
    this.#bits = bits
  }

  get #key() {
    this.#made ??= generateKeyPairSync('rsa', { modulusLength: this.#bits })
    return this.#made
  }

  /** The texts of its TXT records. The parts are out of order, as a DNS server may return them. */
  get texts(): string[] {
    const data = this.#key.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
    const parts = data.match(/.{1,200}/g) ?? []
    return parts.map((part, i) => `p=${i + 1},a=RS256,t=x509,d=${part}`).reverse()
  }

  /** A link without a signature. */
  link(query: string): string {
    return `${this.#path}?${query}`
  }

  /** A link whose signature covers `query`. `sent`: the query that is sent instead. */
  signed(query: string, { key = '_dck1', sent = query } = {}): string {
    return this.link(`${sent}&sig=${encodeURIComponent(this.signature(query))}&key=${key}`)
  }

  signature(text: string): string {
    return sign('sha256', Buffer.from(text), this.#key.privateKey).toString('base64')
  }
}
