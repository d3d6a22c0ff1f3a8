/** Nameservers in the form of a registrar: names, and the addresses (glue) of those that have them. */
export interface TypedNameservers {
  readonly nameservers: string[]
  readonly hosts: { name: string; addresses: string[] }[]
}

/** Reads nameservers, one per line, each followed by its addresses: `ns1.shop.test 192.0.2.1 2001:db8::1`. */
export function readNameservers(text: string): TypedNameservers {
  const lines = text
    .toLowerCase()
    .split(/[\n;]+/)
    .map((line) => line.split(/[\s,]+/).filter((word) => word !== ''))
    .filter((words) => words.length > 0)
  const nameservers: string[] = []
  const hosts: TypedNameservers['hosts'] = []
  for (const words of lines) {
    const names = words.filter((word) => !isAddress(word)).map((word) => word.replace(/\.$/, ''))
    nameservers.push(...names)
    const addresses = words.filter(isAddress)
    const name = names.at(-1)
    if (name !== undefined && addresses.length > 0) hosts.push({ name, addresses })
  }
  return { nameservers: [...new Set(nameservers)], hosts }
}

/** Only by its form. The service checks whether the address is allowed. */
function isAddress(word: string): boolean {
  return /^\d+(\.\d+){3}$/.test(word) || word.includes(':')
}
