import { readFileSync } from 'node:fs'
import { inRepository } from './deploy-files.ts'

/**
 * A configuration or commands as operators see them: the block with this name on a page of docs/runbooks, with the values of an operator's
 * machine replaced by those of the test's.
 *
 * Each must be in the block, so that the page and the tests cannot drift apart unnoticed.
 */
export function documented(
  name: string,
  replacements: Readonly<Record<string, string>>,
  page: 'secondaries' | 'high-availability' = 'secondaries',
): string {
  const block = blocksOf(page).get(name)
  taken.add(`${page} ${name}`)
  if (block === undefined) throw new Error(`docs/runbooks/${page}.md has no block ${name}.`)
  const shown = Object.keys(replacements)
  const lost = shown.find((text) => !block.includes(text))
  if (lost !== undefined) throw new Error(`docs/runbooks/${page}.md: ${name} says nothing of ${lost}.`)
  // The longest first, and all in one pass, so that replacements are not replaced again.
  const longestFirst = shown
    .toSorted((a, b) => b.length - a.length)
    .map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return block.replace(new RegExp(longestFirst.join('|'), 'g'), (text) => replacements[text] ?? text)
}

/** The blocks that `documented` has returned. */
const taken = new Set<string>()

/** The names of a page's blocks that `documented` has not returned. */
export function blocksLeft(page: string): string[] {
  return [...blocksOf(page).keys()].filter((name) => !taken.has(`${page} ${name}`))
}

/** The blocks of a page by their names. A block has its name after its language; without one, its language is its name. */
function blocksOf(page: string): Map<string, string> {
  const text = readFileSync(inRepository(`docs/runbooks/${page}.md`), 'utf8')
  const blocks = [...text.matchAll(/^( *)```(?:\w+ )?(\S*)\n(.*?)^\1```$/gms)]
  return new Map(
    blocks.map(([, indent = '', name = '', block = '']) => [
      name,
      block.replaceAll(`\n${indent}`, '\n').slice(indent.length),
    ]),
  )
}
