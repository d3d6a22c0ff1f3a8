import { createRequire } from 'node:module'
import { getDomain, getPublicSuffix, parse } from 'tldts'

/** tldts' internal list: a flat trie of labels from the right. */
interface SuffixTrie {
  readonly rulesRoot: number
  readonly edgeStart: ArrayLike<number>
  readonly edgeLength: ArrayLike<number>
  readonly edgeChild: ArrayLike<number>
  readonly labelText: string
}

/** tldts says whether a name is a suffix, but not whether a suffix exists below it; its data does. */
const trie = createRequire(import.meta.url)('tldts/dist/cjs/src/data/trie.js') as SuffixTrie

const aboveSuffixes: ReadonlySet<string> = namesAboveSuffixes(trie)

/**
 * Whether the name is a public suffix, or above one. Private suffixes count: `github.io`, and `amazonaws.com`, which has suffixes
 * such as `s3.amazonaws.com` below it.
 */
export function isAtOrAbovePublicSuffix(name: string): boolean {
  if (!name.includes('.') || aboveSuffixes.has(name)) return true
  return getPublicSuffix(name, { allowPrivateDomains: true }) === name
}

/** The domain that was registered at a registry, of a name at or below it. For a public suffix, the name itself. */
export function registeredDomain(name: string): string {
  return getDomain(name, { allowPrivateDomains: false, validateHostname: false }) ?? name
}

/** Whether the lower-case label is a TLD in the ICANN section of the public suffix list. `arpa` is not, because host names do not end in it. */
export function isHostTld(label: string): boolean {
  // tldts also parses URLs: it would find `com` in `com:80` and in `com/`.
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
