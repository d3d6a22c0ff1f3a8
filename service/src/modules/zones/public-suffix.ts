import { createRequire } from 'node:module'
import { getPublicSuffix, parse } from 'tldts'

/** The list as tldts holds it: a trie of labels from the right, flat. */
interface SuffixTrie {
  readonly rulesRoot: number
  readonly edgeStart: ArrayLike<number>
  readonly edgeLength: ArrayLike<number>
  readonly edgeChild: ArrayLike<number>
  readonly labelText: string
}

/** tldts tells whether a name is a suffix, but not whether there is one below it; its data does. */
const trie = createRequire(import.meta.url)('tldts/dist/cjs/src/data/trie.js') as SuffixTrie

const aboveSuffixes: ReadonlySet<string> = namesAboveSuffixes(trie)

/**
 * Is the name a public suffix, or above one? Private suffixes count: `github.io`, and `amazonaws.com`, below which lie
 * `s3.amazonaws.com` and others where everybody registers.
 */
export function isAtOrAbovePublicSuffix(name: string): boolean {
  if (!name.includes('.') || aboveSuffixes.has(name)) return true
  return getPublicSuffix(name, { allowPrivateDomains: true }) === name
}

/** Is the label, in lower case, a TLD in the ICANN section of the public suffix list? `arpa` is not: names of hosts do not end in it. */
export function isHostTld(label: string): boolean {
  // tldts reads URLs, too: it would see `com` in `com:80` and in `com/`.
  return label !== 'arpa' && /^[a-z0-9-]+$/.test(label) && parse(`name.${label}`).isIcann === true
}

/** Every name that has a rule below it. */
function namesAboveSuffixes({ rulesRoot, edgeStart, edgeLength, edgeChild, labelText }: SuffixTrie): Set<string> {
  const offsets: number[] = [0]
  for (let edge = 0; edge < edgeLength.length; edge++) offsets.push((offsets[edge] ?? 0) + (edgeLength[edge] ?? 0))
  const names = new Set<string>()
  const walk = (node: number, name: string): void => {
    const [from = 0, to = 0] = [edgeStart[node], edgeStart[node + 1]]
    if (name !== '' && to > from) names.add(name)
    for (let edge = from; edge < to; edge++) {
      const label = labelText.slice(offsets[edge], offsets[edge + 1])
      walk(edgeChild[edge] ?? rulesRoot, name === '' ? label : `${label}.${name}`)
    }
  }
  walk(rulesRoot, '')
  return names
}
