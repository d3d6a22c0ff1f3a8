import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const page = fileURLToPath(new URL('../../../docs/runbooks/secondaries.md', import.meta.url))

/**
 * A configuration as operators are shown it: the block of this name on the page about secondaries, with the things of an
 * operator's machine replaced by those of the test's.
 *
 * Each must be in the block: the page and the tests cannot drift apart unseen.
 */
export function documented(name: string, replacements: Readonly<Record<string, string>>): string {
  const block = new RegExp(`^\`\`\`\\w+ ${name}\\n(.*?)^\`\`\`$`, 'ms').exec(readFileSync(page, 'utf8'))?.[1]
  if (block === undefined) throw new Error(`docs/runbooks/secondaries.md has no block ${name}.`)
  const shown = Object.keys(replacements)
  const lost = shown.find((text) => !block.includes(text))
  if (lost !== undefined) throw new Error(`docs/runbooks/secondaries.md: ${name} says nothing of ${lost}.`)
  // The longest first, and all in one pass: what was put in is not replaced again.
  const longestFirst = shown
    .toSorted((a, b) => b.length - a.length)
    .map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return block.replace(new RegExp(longestFirst.join('|'), 'g'), (text) => replacements[text] ?? text)
}
