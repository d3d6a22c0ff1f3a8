import { DnsFault } from '../faults.ts'
import type { Field } from './field.ts'
import { characterString } from './text.ts'

/**
 * The rewriting rule of NAPTR, `!^.*$!sip:info@example.com!i`, or empty (RFC 3402 §3.2).
 *
 * Its form is checked in new values, because other servers would refuse the whole zone because of an invalid one.
 */
export function expression(): Field {
  return characterString('expression', (bytes) => {
    if (bytes.length > 0) checkRule(String.fromCharCode(...bytes))
  })
}

function checkRule(rule: string): void {
  const refuse = (why: string) =>
    new DnsFault('bad_rdata', `the expression ${why}, as in \`!^.*$!sip:info@example.com!\``)
  const delimiter = rule.charAt(0)
  if (/[\\i1-9]/.test(delimiter)) throw refuse('does not begin with a delimiter')
  const [pattern = '', replacement = '', flags, ...more] = partsOf(rule.slice(1), delimiter)
  if (flags === undefined || more.length > 0) throw refuse('has not three delimiters')
  if (flags !== '' && flags !== 'i') throw refuse('has another flag than i')
  const groups = groupsIn(pattern)
  if (pattern === '' || groups === undefined) throw refuse('has no pattern with balanced parentheses')
  for (const [, digit] of replacement.matchAll(/\\(\d)/g)) {
    if (digit === '0' || Number(digit) > groups)
      throw refuse(`refers to group ${digit}, which its pattern does not have`)
  }
}

function partsOf(text: string, delimiter: string): string[] {
  const parts: string[] = []
  let from = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') {
      at++
    } else if (text[at] === delimiter) {
      parts.push(text.slice(from, at))
      from = at + 1
    }
  }
  return [...parts, text.slice(from)]
}

/** How many groups a POSIX expression has; `undefined` if its parentheses are not balanced. */
function groupsIn(pattern: string): number | undefined {
  const parentheses = pattern
    .replace(/\\./gs, '')
    .replace(/\[\^?\]?[^\]]*\]/g, '')
    .replace(/[^()]/g, '')
  let depth = 0
  for (const parenthesis of parentheses) {
    depth += parenthesis === '(' ? 1 : -1
    if (depth < 0) return undefined
  }
  return depth === 0 ? parentheses.length / 2 : undefined
}
