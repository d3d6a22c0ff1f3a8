// The texts in a source file: those in quotes, in templates and, in a .tsx file, between tags. Comments and SQL do not count.

/** A text of a source file, and the line on which it begins, from 1. */
export interface ProductString {
  readonly line: number
  readonly text: string
}

const comment = /\/\*[\s\S]*?\*\/|(?<![:'"`\\])\/\/[^\n]*/
/** It may contain quotes. */
const regularExpression = /(?<=[=(,:!&|?]\s*)\/(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\//
const quoted = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[\s\S])*`/
/** Between tags, or between a tag and an expression. A slash or a semicolon is code. */
const betweenTags = /(?<=[^=]>)[^<>{}'"`;/]+(?=[<{])|(?<=\})[^<>{}'"`;=/]+(?=<)/

const either = (...parts: readonly RegExp[]): RegExp => new RegExp(parts.map(({ source }) => source).join('|'), 'g')
const tokens = { ts: either(comment, regularExpression, quoted), tsx: either(comment, quoted, betweenTags) }

/** The texts of a source file that have at least two words. Simple expressions of templates are left out. */
export function productStrings(path: string, source: string): ProductString[] {
  const found: ProductString[] = []
  for (const { 0: token, index } of source.matchAll(path.endsWith('.tsx') ? tokens.tsx : tokens.ts)) {
    if (token.startsWith('/') || /\bsql(?:<[^`]*>)?$/.test(source.slice(Math.max(0, index - 300), index))) continue
    const text = (/^['"`]/.test(token) ? token.slice(1, -1) : token)
      .replaceAll(/\$\{[^{}'"`]*\}/g, '…')
      .replaceAll(/\s+/g, ' ')
      .trim()
    if (/\p{L}[^ ]* [^ ]*\p{L}/u.test(text)) found.push({ line: source.slice(0, index).split('\n').length, text })
  }
  return found
}
