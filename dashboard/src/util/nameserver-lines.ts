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
    .map((line) => line.split(',').flatMap(entriesOf))
  const nameservers: string[] = []
  const hosts: TypedNameservers['hosts'] = []
  for (const entries of lines) {
    const names = entries.filter((entry) => !isAddress(entry)).map((entry) => entry.replace(/\.$/, ''))
    nameservers.push(...names)
    const addresses = entries.filter(isAddress)
    const name = names.at(-1)
    if (name !== undefined && addresses.length > 0) hosts.push({ name, addresses })
  }
  return { nameservers: [...new Set(nameservers)], hosts }
}

/** The names and addresses in a text. Words without a dot are no names, so that the text stays whole for the error message. */
function entriesOf(text: string): string[] {
  const words = text
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '')
  return words.every((word) => word.includes('.') || isAddress(word)) ? words : [words.join(' ')]
}

/** Only by its form. The service checks whether the address is allowed. */
function isAddress(word: string): boolean {
  return /^(\d+(\.\d+){3}|\S*:\S*)$/.test(word)
}
