import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** A file or folder of the repository. */
export function inRepository(path: string): string {
  return fileURLToPath(new URL(`../../../${path}`, import.meta.url))
}

/**
 * A file of `deploy/` as operators copy it, with the values of an operator's machine replaced by those of the test's. Each must be in it, so that
 * the file and the tests cannot drift apart unnoticed.
 */
export function deployFile(path: string, replacements: Readonly<Record<string, string>>): string {
  let text = readFileSync(inRepository(`deploy/${path}`), 'utf8')
  for (const [shown, own] of Object.entries(replacements)) {
    if (!text.includes(shown)) throw new Error(`deploy/${path} says nothing of ${shown}.`)
    text = text.replaceAll(shown, own)
  }
  return text
}
