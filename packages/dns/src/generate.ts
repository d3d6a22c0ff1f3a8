import { DnsFault, quoteInput } from './faults.ts'
import type { Token } from './zone-lexer.ts'

/**
 * The entries that one `$GENERATE` line creates: `RANGE LHS [TTL] [CLASS] TYPE RHS`, where `$` in the words becomes the number,
 * `${OFFSET,WIDTH,BASE}` becomes the number plus the offset, padded and in base `d`, `o`, `x`, `X`, `n` or `N`, and `\$` or `$$` becomes a dollar
 * sign.
 *
 * The syntax and its details are those of BIND. With `n` and `N`, the hexadecimal digits are in reverse order with dots between them, as in
 * `ip6.arpa.`. The width includes the dots, and a result with an even width ends in a dot.
 *
 * @throws DnsFault `bad_syntax`
 */
export function* readGenerate(tokens: readonly Token[]): Generator<readonly Token[]> {
  const [range, ...words] = tokens
  const [, first, last, step = '1'] = /^(\d{1,9})-(\d{1,9})(?:\/(\d{1,9}))?$/.exec(range?.text ?? '') ?? []
  if (first === undefined || last === undefined || Number(first) > Number(last) || Number(step) === 0) {
    throw new DnsFault('bad_syntax', '$GENERATE needs a range, such as `1-254` or `0-100/2`.')
  }
  if (words.length < 3)
    throw new DnsFault('bad_syntax', '$GENERATE needs an owner name, a type and data after the range.')
  const templates = words.map((word) => ({ quoted: word.quoted, parts: templateOf(word.text) }))
  for (let number = Number(first); number <= Number(last); number += Number(step)) {
    yield templates.map(({ quoted, parts }) => ({ quoted, text: fill(parts, number) }))
  }
}

interface Placeholder {
  readonly offset: number
  readonly width: number
  readonly base: string
}

/** Maximum width of the padding: a longer one would not fit into a name. */
const maxWidth = 255

function templateOf(text: string): (string | Placeholder)[] {
  const parts: (string | Placeholder)[] = []
  let from = 0
  for (const { 0: found, index } of text.matchAll(/\\.|\$\{[^}]*\}?|\$\$|\$/gs)) {
    if (found.startsWith('\\') && found !== '\\$') continue
    parts.push(text.slice(from, index))
    if (found === '\\$' || found === '$$') parts.push('$')
    else parts.push(found === '$' ? { offset: 0, width: 0, base: 'd' } : placeholderOf(found))
    from = index + found.length
  }
  parts.push(text.slice(from))
  return parts
}

function placeholderOf(text: string): Placeholder {
  const form = /^\$\{([+-]?\d{1,9})(?:,(\d{1,3})(?:,([doxXnN]))?)?\}$/
  const [, offset, width = '0', base = 'd'] = form.exec(text) ?? []
  if (offset === undefined || Number(width) > maxWidth) {
    throw new DnsFault('bad_syntax', `${quoteInput(text)} is no \`\${OFFSET,WIDTH,BASE}\` of $GENERATE.`)
  }
  return { offset: Number(offset), width: Number(width), base }
}

function fill(parts: readonly (string | Placeholder)[], number: number): string {
  return parts.map((part) => (typeof part === 'string' ? part : numberText(number + part.offset, part))).join('')
}

function numberText(value: number, { width, base }: Placeholder): string {
  if (value < 0) throw new DnsFault('bad_syntax', '$GENERATE makes a number below zero.')
  const text = base.toLowerCase() === 'n' ? nibbles(value, width) : value.toString(radixOf[base]).padStart(width, '0')
  return base === 'X' || base === 'N' ? text.toUpperCase() : text
}

const radixOf: Readonly<Record<string, number>> = { d: 10, o: 8, x: 16, X: 16 }

function nibbles(value: number, width: number): string {
  const digits = [...value.toString(16)].reverse().join('.')
  return digits + '.0'.repeat(width).slice(0, Math.max(width - digits.length, 0))
}
